import { describe, expect, it } from "bun:test";
import { type FileNode, foldersFirst, treeOf } from "./file-nodes";

const drawn = (nodes: FileNode[]): unknown[] =>
  nodes.map(({ path, note, children }) => (children ? { [path]: drawn(children) } : `${path} ${note}`));

const LIST = ["SKILL.md", "b/x/1.py", "LICENSE", "a/2.py", "b/0.py"].map((path) => [path, "1"] as const);

describe("a list of paths as a tree", () => {
  it("keeps the order of the list and makes each folder once", () => {
    expect(drawn(treeOf(LIST))).toEqual([
      "SKILL.md 1",
      { b: [{ "b/x": ["b/x/1.py 1"] }, "b/0.py 1"] },
      "LICENSE 1",
      { a: ["a/2.py 1"] },
    ]);
  });

  it("can be put in the order of a file browser: folders, then files", () => {
    expect(drawn(foldersFirst(treeOf(LIST)))).toEqual([
      { a: ["a/2.py 1"] },
      { b: [{ "b/x": ["b/x/1.py 1"] }, "b/0.py 1"] },
      "LICENSE 1",
      "SKILL.md 1",
    ]);
  });
});
