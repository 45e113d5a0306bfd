/** The services that draw pictures for the agent, apart from those that answer (§11.1, §21.3). */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { IMAGE_SIZE, IMAGE_STYLES, imagegenProviders } from "../../stores/imagegen-config";
import { providerTools } from "../provider-tools";
import { idleTimeoutMs, totalTimeoutMs } from "./fields";

export const imagegenTools = providerTools({
  family: "imagegen",
  store: imagegenProviders,
  what: "the picture providers",
  ownFields: "apiStyle, imageSize, totalTimeoutMs, idleTimeoutMs, dailyImageLimit",
  input: {
    apiStyle: z.enum(IMAGE_STYLES).optional(),
    imageSize: z.string().regex(IMAGE_SIZE).nullable().optional().describe("Of style images; null: the service's own."),
    totalTimeoutMs,
    idleTimeoutMs,
    dailyImageLimit: z.int().min(0).max(LIMITS.dailyCalls).optional(),
  },
  output: {
    apiStyle: z.enum(IMAGE_STYLES),
    imageSize: z.string().nullable(),
    totalTimeoutMs: z.int(),
    idleTimeoutMs: z.int(),
    dailyImageLimit: z.int(),
  },
  withoutDefault: "No picture provider is in use now; the agent does not have generate_image.",
  faults: {},
});
