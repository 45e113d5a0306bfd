/**
 * Markdown as people wrote it or a model sent it: GFM, no raw HTML, images as labelled links, outside links without
 * the page's authority. A text that still grows re-renders its last block only.
 */
"use client";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ComponentProps, isValidElement, memo, type ReactElement, type ReactNode, useMemo, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { splitBlocks } from "./blocks";
import styles from "./markdown.module.css";
import { closeOpenMarks } from "./open-marks";
import { isTooHeavy } from "./too-heavy";

const PLUGINS = [remarkGfm];

export interface MarkdownProps {
  text: string;
  /** Not all of it is there: what its last block has opened is closed for display. */
  partial?: boolean;
  /** Drawn after the last character: the caret of an answer being written, the mark of a stopped one. */
  end?: "caret" | "stop";
}

export function Markdown({ text, partial = false, end }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(text), [text]);
  return (
    <div className={styles.markdown} data-end={end}>
      {blocks.map((block, index) => (
        // Blocks are only ever appended, so their position is who they are.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Block key={index} text={block} isGrowing={partial && index === blocks.length - 1} />
      ))}
    </div>
  );
}

/** Whole, for a page that does not change; `headingIds` lets a contents list point at its headings. */
export function StaticMarkdown({
  text,
  headingIds,
}: {
  text: string;
  headingIds?: readonly (readonly [line: number, id: string])[];
}) {
  const components = useMemo<Components>(() => {
    const idAt = new Map(headingIds);
    const heading = (Tag: "h2" | "h3"): Components["h2"] =>
      function Heading({ node, children }) {
        const line = node?.position?.start.line;
        return <Tag id={line === undefined ? undefined : idAt.get(line)}>{children}</Tag>;
      };
    return { ...COMPONENTS, h1: heading("h2"), h2: heading("h2"), h3: heading("h3") };
  }, [headingIds]);
  return (
    <div className={styles.markdown}>
      <ReactMarkdown remarkPlugins={PLUGINS} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

const Block = memo(function Block({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  if (isTooHeavy(text)) return <p className={styles.asWritten}>{text}</p>;
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
      {isGrowing ? closeOpenMarks(text) : text}
    </ReactMarkdown>
  );
});

const COMPONENTS: Components = {
  // A paragraph that is emphasised as a whole is an aside, and reads as one in both languages.
  p: ({ node, children }) => <p className={isAside(node) ? styles.aside : undefined}>{children}</p>,
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  // Loading an image would tell its host who reads this page.
  img: ({ src, alt }) => <ImageLink src={typeof src === "string" ? src : undefined} alt={alt} />,
  pre: ({ children }) => <CodeBox>{children}</CodeBox>,
  table: ({ children }) => <TableBox>{children}</TableBox>,
  input: (props) => <input {...withoutNode(props)} disabled />,
};

function SafeLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) return <span>{children}</span>;
  if (href.startsWith("#")) return <a href={href}>{children}</a>;
  if (href.startsWith("/") && !href.startsWith("//") && !href.startsWith("/\\"))
    return <Link href={href}>{children}</Link>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
    </a>
  );
}

function ImageLink({ src, alt }: { src: string | undefined; alt: string | undefined }) {
  const t = useTranslations("chat");
  return <SafeLink href={src}>{t("image", { alt: alt || src || "" })}</SafeLink>;
}

function CodeBox({ children }: { children: ReactNode }) {
  const t = useTranslations("chat");
  const [copied, setCopied] = useState(false);
  const code = isValidElement(children) ? (children as ReactElement<ComponentProps<"code">>) : null;
  const language = /language-([\w+#-]+)/.exec(code?.props.className ?? "")?.[1] ?? "";
  const source = String(code?.props.children ?? "").replace(/\n$/, "");
  const copy = async () => {
    await navigator.clipboard.writeText(source);
    setCopied(true);
  };
  return (
    <figure className={styles.box}>
      <figcaption>
        <span>{language}</span>
        <button type="button" className="act" onClick={copy} onBlur={() => setCopied(false)}>
          {copied ? t("copied") : t("copy")}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must reach them. */}
      <pre tabIndex={0}>
        <code>{source}</code>
      </pre>
    </figure>
  );
}

function TableBox({ children }: { children: ReactNode }) {
  const t = useTranslations("chat");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and the keyboard must reach it.
    <section className={styles.box} aria-label={t("table")} tabIndex={0}>
      <table>{children}</table>
    </section>
  );
}

function isAside(node: { children: readonly unknown[] } | undefined): boolean {
  const only = node?.children.length === 1 ? node.children[0] : undefined;
  return typeof only === "object" && only !== null && "tagName" in only && only.tagName === "em";
}

function withoutNode<T extends { node?: unknown }>({ node: _, ...props }: T): Omit<T, "node"> {
  return props;
}
