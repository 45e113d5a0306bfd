/**
 * Two habits of Markdown that fit scripts without blanks badly, mended in the parsed tree: an address that runs on into
 * the punctuation behind it, and strong or emphasised words that end in a full stop and are followed by a letter, which
 * the rules leave as bare marks.
 */
import type { Nodes, PhrasingContent, Root, Text } from "mdast";

/** Punctuation that no one types into an address: CJK symbols and the full-width forms. */
const BEHIND_AN_ADDRESS =
  /[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u201c\u201d\u2018\u2019\u2026]/;
/** One or two marks around words on one line. */
const LEFT_OPEN = /(\*{1,2})((?:(?!\*)[^\n])+?)\1(?!\*)/u;
const CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u201c\u201d\u2018\u2019\u2026]/u;

export function cjkFriendly() {
  return (tree: Root, file: { value: unknown }): void => mend(tree, String(file.value));
}

function mend(parent: Nodes, source: string): void {
  if (!("children" in parent)) return;
  const mended = (parent.children as Nodes[]).flatMap((node): Nodes[] => {
    if (node.type === "link") return shortened(node, source);
    if (node.type === "text" && parent.type !== "link") return withMarks(node, source);
    mend(node, source);
    return [node];
  });
  parent.children = mended as typeof parent.children;
}

/** Only an address that was recognised in the text, and so shows itself. */
function shortened(link: Extract<Nodes, { type: "link" }>, source: string): Nodes[] {
  const [text] = link.children;
  if (link.children.length !== 1 || text?.type !== "text" || !/^(?:https?:\/\/|www\.)/i.test(text.value)) return [link];
  const behind = text.value.search(BEHIND_AN_ADDRESS);
  const isBracketed = /[<[]/.test(source[link.position?.start.offset ?? -1] ?? "");
  if (behind === -1 || isBracketed || !link.url.endsWith(text.value)) return [link];
  const rest = text.value.slice(behind);
  return [
    {
      ...link,
      url: link.url.slice(0, -rest.length),
      children: [{ type: "text", value: text.value.slice(0, behind) }],
    },
    { type: "text", value: rest },
  ];
}

function withMarks(node: Text, source: string): PhrasingContent[] {
  // An escaped mark is one that was meant to be seen.
  const written = source.slice(node.position?.start.offset, node.position?.end.offset);
  const found = written === node.value ? LEFT_OPEN.exec(node.value) : null;
  if (found === null || !CJK.test(found[2]!) || /^\s|\s$/.test(found[2]!)) return [node];
  const [whole, mark, words] = found;
  const rest = node.value.slice(found.index + whole.length);
  return [
    { type: "text", value: node.value.slice(0, found.index) },
    { type: mark === "**" ? "strong" : "emphasis", children: [{ type: "text", value: words! }] },
    ...(rest === "" ? [] : withMarks({ type: "text", value: rest }, rest)),
  ];
}
