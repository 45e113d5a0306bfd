/**
 * The files of a package or of the whole source as a tree of links. Folders open and close without a script; the one
 * that holds the current file is open, and stays so when another file is chosen.
 */
"use client";
import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { fileHref } from "../../lib/file-address";
import { Triangle } from "../../ui/icons";
import { type FileEntry, type FileNode, foldersFirst, treeOf } from "./file-nodes";
import styles from "./tree.module.css";

export interface FileTreeProps {
  /** Address of the root; a file is `<base>/<path>`. */
  base: string;
  entries: readonly FileEntry[];
  /** The file that the root itself shows. */
  home?: string;
  /** A package is small: all its folders are open, in the order that its author gave. */
  whole?: boolean;
}

export function FileTree({ base, entries, home, whole = false }: FileTreeProps) {
  const pathname = usePathname();
  const atHome = useSearchParams().size === 0 && pathname === base;
  const [opened] = useState(pathname);
  const list = useRef<HTMLUListElement>(null);
  const nodes = useMemo(() => (whole ? treeOf(entries) : foldersFirst(treeOf(entries))), [entries, whole]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the address.
  useEffect(() => {
    const current = list.current?.querySelector("[aria-current]");
    if (!current) return;
    for (let at = current.closest("details"); at; at = at.parentElement!.closest("details")) at.open = true;
    bringIntoBox(current, list.current!.parentElement!);
  }, [pathname]);

  const draw = (node: FileNode): ReactNode => {
    const own = fileHref(base, node.path);
    if (node.children === undefined) {
      return (
        <li key={node.path}>
          <Link
            href={node.path === home ? base : own}
            prefetch={false}
            aria-current={pathname === own || (node.path === home && atHome) ? "page" : undefined}
          >
            <span>{node.name}</span>
            <span className="num">{node.note}</span>
          </Link>
        </li>
      );
    }
    return (
      <li key={`${node.path}/`}>
        <details open={whole || `${opened}/`.startsWith(`${own}/`)}>
          <summary>
            <Triangle />
            {node.name}/
          </summary>
          <ul>{node.children.map(draw)}</ul>
        </details>
      </li>
    );
  };
  return (
    <ul ref={list} className={styles.tree}>
      {nodes.map(draw)}
    </ul>
  );
}

/** Scrolls a box, and never the page: on a phone the tree stands under the file, which is what a reader came for. */
function bringIntoBox(element: Element, box: Element): void {
  const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
}
