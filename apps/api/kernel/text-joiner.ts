/**
 * Streamed text made storable piece by piece: no NUL and no lone surrogate, so that what was streamed and what Postgres
 * keeps are the same string. A surrogate pair that a provider cut in two arrives whole with the second half.
 */
export class TextJoiner {
  private half = "";

  add(piece: string): string {
    const text = this.half + piece;
    const last = text.charCodeAt(text.length - 1);
    this.half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : "";
    return clean(this.half === "" ? text : text.slice(0, -1));
  }

  /** The stream ended: a half that is still waiting stays alone and becomes the replacement character. */
  end(): string {
    const rest = this.half;
    this.half = "";
    return clean(rest);
  }
}

function clean(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
