/** What is on this page: its headings as links. Which one is being read is marked by `reading-progress`. */
import type { Heading } from "../markdown/heading-ids";

export interface ContentsListProps {
  headings: readonly Heading[];
  label: string;
  /** Of the text, not of the page. */
  language: string;
}

export function ContentsList({ headings, label, language }: ContentsListProps) {
  if (headings.length === 0) return null;
  return (
    <nav aria-label={label} data-contents="">
      <h2>{label}</h2>
      <ul lang={language}>
        {headings.map(({ id, depth, text }) => (
          <li key={id} data-depth={depth}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
