/** One chapter in a list: its label, its title, the day it appeared. */
import Link from "next/link";
import { useLocale } from "next-intl";
import type { ChapterCard } from "../../../../shared/contracts/notes";
import { shortDay } from "../../lib/time";

export function ChapterRow({ series, chapter, summary }: { series: string; chapter: ChapterCard; summary?: boolean }) {
  const language = useLocale();
  return (
    <li>
      <span className="num">{chapter.label}</span>
      <span>
        <Link href={`/notes/${series}/${chapter.slug}`} prefetch={false}>
          {chapter.title}
        </Link>
        {summary && chapter.summary !== "" && <small>{chapter.summary}</small>}
      </span>
      <time className="num" dateTime={chapter.publishedAt}>
        {shortDay(chapter.publishedAt, language)}
      </time>
    </li>
  );
}
