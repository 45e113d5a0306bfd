import { expect, it } from "bun:test";
import { underItsHead } from "./skill-text";

const FILE = "---\nname: calc\ndescription: Exact arithmetic.\n---\n\n# Calc\n\nFor every number.\n\n# Codes\n";

it("leaves out the title and the fields that the head of the page has said", () => {
  expect(underItsHead(FILE)).toBe("\nFor every number.\n\n# Codes\n");
});

it("keeps the fields when one of them says more: what a skill may use is nothing to hide", () => {
  const more = FILE.replace("\n---\n\n", "\nallowed-tools: Bash\n---\n\n");
  expect(underItsHead(more)).toBe(
    "---\nname: calc\ndescription: Exact arithmetic.\nallowed-tools: Bash\n---\n\nFor every number.\n\n# Codes\n",
  );
  const long = "---\nname: calc\ndescription: >\n  Exact\n  arithmetic.\n---\nText\n";
  expect(underItsHead(long)).toBe(long);
});

it("takes a file without either as it is", () => {
  expect(underItsHead("For every number.\n")).toBe("For every number.\n");
  expect(underItsHead("#hash is no title\n")).toBe("#hash is no title\n");
});
