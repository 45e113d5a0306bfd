/** One line of code as it is drawn: words of the language heavy, comments and strings in a lighter ink. */
import type { Token } from "./highlight";

const TAGS = { comment: "i", word: "b", string: "u" } as const;

export function CodeTokens({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map(({ ink, text }, index) => {
    if (ink === null) return text;
    const Tag = TAGS[ink];
    // Tokens of a page that does not change: their position is who they are.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return <Tag key={index}>{text}</Tag>;
  });
}
