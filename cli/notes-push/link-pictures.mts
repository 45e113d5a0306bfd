/**
 * Where a chapter shows a picture that lies beside it, the site shows it by its own address: `flow.png` becomes
 * `/notes/<series>/flow.png`. Addresses that begin with a scheme, `/` or `#` stay, and so does whatever stands in code.
 * Pure.
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const CODE = "(`+)(?!`)(?:.*?[^`])\\1(?!`)";
const TARGET = "<[^<>\\n]*>|[^\\s()<>]+(?:\\([^\\s()]*\\)[^\\s()]*)*";
const IMAGE = `(!\\[(?:[^\\]\\\\]|\\\\.)*\\]\\(\\s*)(${TARGET})`;
/** A code span, passed over, or the beginning of a picture up to the end of its address. */
const IN_LINE = new RegExp(`${CODE}|${IMAGE}`, "g");
/** `[name]: address`, which pictures may be shown by. */
const DEFINITION = new RegExp(`^( {0,3}\\[[^\\]]+\\]:\\s*)(${TARGET})`);
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/|#)/i;
const PICTURE = /\.[a-z]+$/i;

/** `missing` hears of each picture that is not there, with its line counted from 0. */
export function linkPictures(
  text: string,
  seriesSlug: string,
  pictures: ReadonlySet<string>,
  missing: (line: number, sentence: string) => void,
): string {
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line, at) => {
      const mark = FENCE.exec(line)?.[1];
      if (fence !== undefined) {
        const closes = mark?.startsWith(fence) && line.trim() === mark;
        if (closes) fence = undefined;
        return line;
      }
      if (mark !== undefined) {
        fence = mark;
        return line;
      }
      const address = (target: string) =>
        linked(target, (name) => missing(at, `There is no picture ${name} beside it.`));
      const defined = DEFINITION.exec(line);
      if (defined) {
        const [whole, before = "", target = ""] = defined;
        return PICTURE.test(plain(target)) ? before + address(target) + line.slice(whole.length) : line;
      }
      return line.replace(IN_LINE, (whole, _ticks, before?: string, target?: string) =>
        before === undefined || target === undefined ? whole : before + address(target),
      );
    })
    .join("\n");

  function linked(target: string, refuse: (name: string) => void): string {
    const name = plain(target);
    if (ELSEWHERE.test(name)) return target;
    if (pictures.has(name)) return `/notes/${seriesSlug}/${name}`;
    refuse(JSON.stringify(name));
    return target;
  }
}

function plain(target: string): string {
  return target.replace(/^<(.*)>$/, "$1").replace(/^\.\//, "");
}
