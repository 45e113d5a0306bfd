/** Services that draw pictures for the agent (§11.1). The tool that calls them takes `imagegenProviders.loadDefault`. */
import { LIMITS } from "../../../shared/limits";
import { integerField, invalid } from "./owner-fields";
import { providerRows, type ProviderWrite } from "./provider-rows";
import { checkTimers, type ProviderTimers } from "./provider-timers";

/** How a service is asked: by its own address for pictures, or as a chat that answers with one (§11.2). */
export const IMAGE_STYLES = ["images", "chat"] as const;
export type ImageStyle = (typeof IMAGE_STYLES)[number];

interface ImagegenFields extends ProviderTimers {
  apiStyle: ImageStyle;
  /** `auto` or `WxH`; null leaves it to the service. */
  imageSize: string | null;
  /** Pictures a day of all visitors together; 0 is no limit. */
  dailyImageLimit: number;
}
export type ImagegenProviderWrite = ProviderWrite<ImagegenFields>;

export const IMAGE_SIZE = /^(auto|\d{3,4}x\d{3,4})$/;

export const imagegenProviders = providerRows<ImagegenFields>({
  table: "imagegen_config",
  hosts: "imagegen",
  columns: {
    apiStyle: "api_style",
    imageSize: "image_size",
    totalTimeoutMs: "total_timeout_ms",
    idleTimeoutMs: "idle_timeout_ms",
    dailyImageLimit: "daily_image_limit",
  },
  fresh: () => ({
    apiStyle: "images",
    imageSize: null,
    totalTimeoutMs: LIMITS.imageTotalMs,
    idleTimeoutMs: LIMITS.imageIdleMs,
    dailyImageLimit: 0,
  }),
  check(row) {
    if (!IMAGE_STYLES.includes(row.apiStyle)) throw invalid("apiStyle", "There is no such style.", IMAGE_STYLES);
    if (row.imageSize !== null && !IMAGE_SIZE.test(row.imageSize)) {
      throw invalid("imageSize", "It is auto or <width>x<height>, each of 3 or 4 digits.");
    }
    checkTimers(row);
    integerField("dailyImageLimit", row.dailyImageLimit, LIMITS.dailyCalls);
  },
});
