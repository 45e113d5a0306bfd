/**
 * Decides what the demo says next, from the transcript alone: which scene the last message of the visitor opened, how
 * far that scene has come, and what its tools have returned. Pure: the same transcript gives the same cue.
 */
import { getCurrentTools, type AssistantMessage, type Message, type ToolResultMessage } from "@earendil-works/pi-ai";
import type { JsonObject } from "../../../../shared/trace-events";
import { type Asked, inLanguage, languageOf, type Line, type Play, type Scene, type ToolAnswer } from "./scene";
import { SCENES } from "./scenes";

/** One response of the demo model: text, then calls. Without calls it is the final answer. */
export interface Cue {
  text: string;
  calls: { id: string; name: string; arguments: JsonObject }[];
}

const RENAME = "session_rename";

export function nextCue(messages: readonly Message[], scenes: readonly Scene[] = SCENES): Cue {
  const opening = messages.findLastIndex((message) => message.role === "user");
  const asked = readQuestion(messages, opening);
  const scene = scenes.find((candidate) => candidate.matches(asked));
  if (!scene) throw new Error("no scene matches; the last one should match everything");

  const past = pastRounds(messages.slice(opening + 1));
  const step = stepAfter(scene.play(asked), past);
  const line: Line = step.done ? { say: "", calls: [] } : step.value;
  const first = !messages.slice(0, opening).some((message) => message.role !== "system");
  // The name goes out in the first round trip of the first turn, beside whatever else is called.
  const naming = first && past.length === 0 && asked.tools.has(RENAME);
  if (step.done && !naming) return { text: first ? signed(asked, scene, step.value) : step.value, calls: [] };

  const requests = [...line.calls, ...(naming ? [{ name: RENAME, input: { title: scene.title(asked) } }] : [])];
  const turnMark = (messages[opening]?.timestamp ?? 0).toString(36);
  return {
    // A paragraph of its own: the texts of a turn's round trips are stored one after the other.
    text: line.say === "" ? "" : `${line.say}\n\n`,
    calls: requests.map(({ name, input }, index) => ({
      id: `demo_${turnMark}_${past.length}_${index}`,
      name,
      arguments: input,
    })),
  };
}

/** Runs a play from its beginning through the round trips that are over. */
function stepAfter(play: Play | string, past: readonly ToolAnswer[][]): IteratorResult<Line, string> {
  if (typeof play === "string") return { done: true, value: play };
  let step = play.next();
  for (const answers of past) {
    if (!step.done) step = play.next(answers);
  }
  return step;
}

function readQuestion(messages: readonly Message[], opening: number): Asked {
  const message = messages[opening];
  const question = message?.role === "user" ? textOf(message.content) : "";
  const tools = getCurrentTools(messages).map((tool) => [tool.name, tool.description] as const);
  return { question, language: languageOf(question), tools: new Map(tools) };
}

/** Per model round trip of this turn, the answers of the scene's own calls in the order in which it asked. */
function pastRounds(turn: readonly Message[]): ToolAnswer[][] {
  const results = new Map<string, ToolResultMessage>();
  for (const message of turn) if (message.role === "toolResult") results.set(message.toolCallId, message);
  return turn
    .filter((message): message is AssistantMessage => message.role === "assistant")
    .map((message) =>
      message.content.flatMap((block) => {
        if (block.type !== "toolCall" || block.name === RENAME) return [];
        const result = results.get(block.id);
        return [result ? { text: textOf(result.content), failed: result.isError } : { text: "", failed: true }];
      }),
    );
}

/** The first answer of a session says what is speaking, unless the scene has said so itself. */
function signed(asked: Asked, scene: Scene, answer: string): string {
  if (scene.introducesItself) return answer;
  const signature = inLanguage(asked, {
    zh: "*离线演示：话由脚本给出，工具调用和追踪里的事件都是真的。在服务器上运行 `./xray provider add` 可以接入真正的模型。*",
    en: "*Offline demo: the words are scripted, the tool calls and the events in the trace are real. Run `./xray provider add` on the server to connect a real model.*",
  });
  return `${answer}\n\n${signature}`;
}

function textOf(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("\n");
}
