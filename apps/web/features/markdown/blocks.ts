/**
 * Cuts growing Markdown into blocks that no longer change, so that a streaming answer re-renders its last block only.
 * Joined, the blocks are the text again. A cut is made at a blank line where nothing can reach across it: not inside a
 * fence, a list or an indented continuation, and not at all in a text that defines references, which may be used
 * anywhere.
 */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;

export function splitBlocks(text: string): string[] {
  if (DEFINITION.test(text)) return [text];
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
  return /^(\t| {2,})/.test(line) || (inList && LIST_ITEM.test(line));
}

function closes(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})$/.exec(line)?.[1];
  return mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length;
}
