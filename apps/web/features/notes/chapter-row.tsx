/** One chapter in a list: its label, its title, the day it appeared. */
import Link from "next/link";
import { useFormatter } from "next-intl";
import type { ChapterCard } from "../../../../shared/contracts/content";

export function ChapterRow({ series, chapter, summary }: { series: string; chapter: ChapterCard; summary?: boolean }) {
  const format = useFormatter();
  return (
    <li>
      <span className="num">{chapter.label}</span>
      <span>
        <Link href={`/notes/${series}/${chapter.slug}`}>{chapter.title}</Link>
        {summary && chapter.summary !== "" && <small>{chapter.summary}</small>}
      </span>
      <time className="num" dateTime={chapter.publishedAt}>
        {format.dateTime(new Date(chapter.publishedAt), { day: "numeric", month: "short", timeZone: "UTC" })}
      </time>
    </li>
  );
}
