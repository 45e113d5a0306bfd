/**
 * Cuts growing Markdown into blocks that no longer change, so that a streaming answer re-renders its last block only.
 * Joined, the blocks are the text again. A cut is made at a blank line where nothing can reach across it: not inside a
 * fence, a list or an indented continuation, and not at all in a text that defines references, which may be used
 * anywhere.
 */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
/** The number of an item whose dot has not arrived; taken for one, or the list would be torn for a moment. */
const HALF_ITEM = /^ {0,3}\d{1,9}$/;
const DEFINITION = /^ {0,3}\[[^\]]+\]:/;
/** A block that is short is drawn with each letter, a longer one in steps of at least a sixteenth of what it has. */
const SHORT_CHARS = 2_000;

export function splitBlocks(text: string): string[] {
  return cut(text) ?? [text];
}

/**
 * The same for a text that has grown since the last call: reads the last two blocks and what is new, so that the whole
 * arrival of a text takes time in its length. Any other text is read anew.
 */
export function blockSplitter(): (text: string) => readonly string[] {
  let before = "";
  let blocks: readonly string[] | null = [];
  return (text) => {
    if (text === before) return blocks ?? [text];
    if (!text.startsWith(before)) blocks = cut(text);
    else if (blocks !== null) {
      // The first line of the last block may still turn out to continue the one before.
      const settled = blocks.slice(0, -2);
      const rest = cut(blocks.slice(-2).join("") + text.slice(before.length));
      blocks = rest && [...settled, ...rest];
    }
    before = text;
    return blocks ?? [text];
  };
}

/**
 * How much of a growing block is drawn: all of a short one; of a long one as much as a step of its size allows, to the
 * end of a line where there is one. So the drawings of a block add up to a fixed multiple of the last, whatever its size.
 */
export function drawnPart(block: string): string {
  if (block.length < SHORT_CHARS) return block;
  const step = 2 ** Math.floor(Math.log2(block.length / 16));
  const end = block.length - (block.length % step);
  const line = block.lastIndexOf("\n", end - 1) + 1;
  return block.slice(0, end - line < step ? line : end);
}

/** Null when the text defines a reference: it has no blocks. */
function cut(text: string): string[] | null {
  const lines = text.split(/(?<=\n)/);
  const blocks: string[] = [];
  let block = "";
  let fence: string | null = null;
  let inList = false;
  let blank = false;

  for (const line of lines) {
    const content = line.trimEnd();
    if (fence === null && blank && content !== "" && !continues(content, inList)) {
      blocks.push(block);
      block = "";
      inList = false;
    }
    if (fence === null) {
      if (DEFINITION.test(content)) return null;
      const open = FENCE.exec(content);
      // An info string of a backtick fence holds no backtick; otherwise it is inline code.
      if (open && !(open[1]!.startsWith("`") && open[2]!.includes("`"))) fence = open[1]!;
      else if (LIST_ITEM.test(content)) inList = true;
    } else if (closes(content, fence)) fence = null;
    blank = content === "";
    block += line;
  }
  if (block !== "") blocks.push(block);
  return blocks;
}

/** Whether a line after a blank one still belongs to what stands before it. */
function continues(line: string, inList: boolean): boolean {
  return /^(\t| {2,})/.test(line) || (inList && (LIST_ITEM.test(line) || HALF_ITEM.test(line)));
}

function closes(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})$/.exec(line)?.[1];
  return mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length;
}
