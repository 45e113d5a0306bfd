/**
 * `generate_image`: one picture from the one service that the owner configured, stored with the session that the tool was
 * built for (§11). The model gets a line of Markdown, never a byte of the picture; nothing is fetched that the answer does
 * not hold itself.
 */
import { createHash, randomUUID } from "node:crypto";
import { Type } from "typebox";
import { agentImageAddress } from "../../../../shared/agent-image";
import { LIMITS } from "../../../../shared/limits";
import type { PictureType } from "../../../../shared/picture-type";
import { cutGraphemes, oneLine, stripInvisible } from "../../../../shared/text/clean";
import { type KernelTool, ToolFailure } from "../../kernel/kernel-types";
import { addImage } from "../../stores/images";
import { reserveImage } from "../../stores/quota";
import { orFail, type ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";
import { phaseReporter } from "./phases";
import { PICTURE_STYLES, type PictureStyle, pictureOf } from "./picture-styles";
import { failed, postJson, type Service, type ServiceCall, toolFailure } from "./service-call";

/** The default row of the picture services, and which further hosts it may be on. */
export interface PictureService extends Service {
  apiStyle: keyof typeof PICTURE_STYLES;
  /** Null leaves it to the service. */
  imageSize: string | null;
  /** 0 is no limit. */
  dailyImageLimit: number;
}

export const IMAGE_DAY_IS_USED =
  "The pictures that may be made in one day have been made. Tomorrow there are new ones.";
export const IMAGE_FAILED = "The picture could not be made.";
export const IMAGE_LATE = "The picture took too long.";
export const IMAGE_NOT_STORED = "The picture could not be stored.";
export const PROMPT_EMPTY = "A picture needs a description.";

const IMAGE_PHASES = ["request", "generating", "accepted", "receiving", "decoding", "saving"] as const;
type Report = (phase: (typeof IMAGE_PHASES)[number]) => void;

export const GENERATE_IMAGE: ToolMeta = {
  name: "generate_image",
  label: "Draw a picture",
  description:
    "Draws one picture after a description and returns one line of Markdown that shows it. Copy that line into the reply as it is.",
  group: "outbound",
  parameters: Type.Object(
    { prompt: Type.String({ minLength: 1, maxLength: LIMITS.imagePromptChars }) },
    { additionalProperties: false },
  ),
  output: "One line of Markdown with the picture.",
  outputNote: "The picture belongs to this session: only its visitor sees it, and it is deleted with the session.",
  phases: IMAGE_PHASES,
};

/** Null where no picture service is configured. */
export function generateImage({ db, sessionId, pictures, log }: ToolContext): KernelTool | null {
  if (!pictures) {
    log.info("a switched-on tool has no service that it could use", { tool: GENERATE_IMAGE.name });
    return null;
  }
  const tool = toolOf(GENERATE_IMAGE, async (params, { signal, onPhase }) => {
    const prompt = stripInvisible((params as { prompt: string }).prompt, { keep: "\n\t" });
    if (oneLine(prompt) === "") throw new ToolFailure(PROMPT_EMPTY);
    const report: Report = phaseReporter(onPhase);
    const reservation = await orFail(reserveImage(db, pictures.dailyImageLimit, new Date()), IMAGE_FAILED, log);
    if (!reservation) throw new ToolFailure(IMAGE_DAY_IS_USED);
    const call: ServiceCall = { service: pictures, family: "imagegen", tool: GENERATE_IMAGE.name, signal, log };
    const { type, bytes } = await draw(call, pictures, prompt, report).catch((error: unknown) => {
      throw toolFailure(error, { failed: IMAGE_FAILED, late: IMAGE_LATE });
    });
    report("saving");
    const id = randomUUID();
    const etag = createHash("sha256").update(bytes).digest("hex");
    await orFail(addImage(db, { id, sessionId, contentType: type, bytes, etag }), IMAGE_NOT_STORED, log);
    return {
      text: `![${altOf(prompt)}](${agentImageAddress(id, type)})`,
      details: { imageId: id, contentType: type, byteSize: bytes.length },
    };
  });
  return { ...tool, timeoutMs: pictures.totalTimeoutMs + LIMITS.outboundGraceMs };
}

async function draw(
  call: ServiceCall,
  { apiStyle, imageSize, modelId }: PictureService,
  prompt: string,
  report: Report,
): Promise<{ type: PictureType; bytes: Buffer }> {
  const style = PICTURE_STYLES[apiStyle];
  report("request");
  const alive = setInterval(() => report("generating"), LIMITS.outboundPhaseMs);
  let response: Response;
  try {
    const body = style.body(modelId, prompt, imageSize);
    const maxBytes = LIMITS.imageResponseBytes;
    response = await postJson(call, { path: style.path, body, maxBytes, slowHead: true });
  } finally {
    clearInterval(alive);
  }
  report("accepted");
  const text = await textOf(response, report);
  report("decoding");
  const found = foundIn(text, style);
  if ("fault" in found) throw failed(call, found.fault);
  return found;
}

/** The picture in an answer, or why there is none. */
function foundIn(text: string, style: PictureStyle): ReturnType<typeof pictureOf> {
  try {
    const found = style.find(JSON.parse(text));
    return "fault" in found ? found : pictureOf(found.base64);
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: "upstream_failed" };
    throw error;
  }
}

async function textOf(response: Response, report: Report): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    report("receiving");
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}

/** What the picture is said to show: the prompt's beginning, without what means something in Markdown. */
function altOf(prompt: string): string {
  const plain = oneLine(prompt.replace(/[\\[\]()<>!`*_~|#&{}]/g, " "));
  const cut = cutGraphemes(plain, LIMITS.imageAltChars);
  return oneLine(cut.slice(0, LIMITS.imageAltChars));
}
