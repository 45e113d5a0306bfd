/** A flat list of paths as the tree that it means. Pure; folders come where the list first names them. */
export interface FileNode {
  name: string;
  /** Path from the root, without a trailing slash. */
  path: string;
  /** What stands beside the name of a file: its size or its lines. */
  note?: string;
  /** Present: a folder. */
  children?: FileNode[];
}

export type FileEntry = readonly [path: string, note: string];

export function treeOf(entries: readonly FileEntry[]): FileNode[] {
  const root: FileNode[] = [];
  const folders = new Map<string, FileNode[]>([["", root]]);
  const folder = (path: string): FileNode[] => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const children: FileNode[] = [];
    folders.set(path, children);
    folder(parentOf(path)).push({ name: nameOf(path), path, children });
    return children;
  };
  for (const [path, note] of entries) folder(parentOf(path)).push({ name: nameOf(path), path, note });
  return root;
}

/** Folders before files at every level, names in the order of their letters. */
export function foldersFirst(nodes: readonly FileNode[]): FileNode[] {
  const rank = (node: FileNode) => (node.children === undefined ? 1 : 0);
  return [...nodes]
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .map((node) => (node.children === undefined ? node : { ...node, children: foldersFirst(node.children) }));
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
