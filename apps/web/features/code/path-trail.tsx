/** The path of a file or folder as a trail, the last part in ink; folders are links where they have pages. */
import Link from "next/link";
import { Fragment } from "react";
import { fileHref } from "../../lib/file-address";

export interface PathTrailProps {
  base: string;
  root: string;
  path: string;
  /** A package has no pages for its folders. */
  flat?: boolean;
}

export function PathTrail({ base, root, path, flat = false }: PathTrailProps) {
  const parts = path === "" ? [] : path.split("/");
  const last = parts.pop();
  return (
    <h1>
      {last === undefined ? (
        <b>{root}</b>
      ) : (
        <Link href={base} prefetch={false}>
          {root}
        </Link>
      )}
      {parts.map((part, index) => (
        <Fragment key={parts.slice(0, index + 1).join("/")}>
          {" / "}
          {flat ? (
            part
          ) : (
            <Link href={fileHref(base, parts.slice(0, index + 1).join("/"))} prefetch={false}>
              {part}
            </Link>
          )}
        </Fragment>
      ))}
      {last !== undefined && (
        <>
          {" / "}
          <b>{last}</b>
        </>
      )}
    </h1>
  );
}
