/** "Draw the road of a turn": an HTML frame whose stops come from the chapter that was just read. */
import { libraryIsSilent } from "./fallback";
import { findChapter, linkTo, stepsOf } from "./reading";
import { fence, inLanguage, type Scene } from "./scene";

const ASKED = /\bdraw\b|\bpicture\b|\bdiagram\b|\bsketch\b|\bhtml\b|画|示意图|路线图/i;

export const road: Scene = {
  title: (asked) => inLanguage(asked, { zh: "一轮的路线图", en: "The road, drawn" }),
  matches: (asked) => ASKED.test(asked.question),
  *play(asked) {
    const chapter = yield* findChapter(asked, [inLanguage(asked, { zh: "第一个字", en: "first word" })], {
      zh: "画之前先把每一站的名字找齐。",
      en: "Before drawing, the names of the stops.",
    });
    const stops = chapter ? stepsOf(chapter.body).flatMap((step) => /`([a-z_]+)`/.exec(step)?.[1] ?? []) : [];
    if (!chapter || stops.length === 0) return libraryIsSilent(asked);
    const html = fence("xray-html height=240", drawing(stops));
    return inLanguage(asked, {
      zh: `${linkTo(asked, chapter)}里的 ${stops.length} 站，排成一条路：

${html}

画里没有脚本，也没有从别处取来的东西：它在一个什么也不能做的框里。`,
      en: `The ${stops.length} stops from ${linkTo(asked, chapter)}, laid out as a road:

${html}

The drawing holds no script and loads nothing: it sits in a frame that cannot do anything.`,
    });
  },
};

/** `stops` are names of lower-case letters and underscores, so nothing in them needs escaping. */
function drawing(stops: readonly string[]): string {
  const items = stops.map(
    (name, index) =>
      `<li style="display:flex;gap:8px;align-items:baseline;border-left:2px solid currentColor;padding:3px 0 3px 12px">` +
      `<b style="font-size:11px;min-width:16px">${index + 1}</b><code style="font-size:12px">${name}</code></li>`,
  );
  return `<ol style="list-style:none;margin:8px;padding:0;columns:2;column-gap:24px">\n${items.join("\n")}\n</ol>`;
}
