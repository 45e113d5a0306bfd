/**
 * A whole Markdown text as a page shows it, made on the server: the rules of a conversation (GFM, no raw HTML, outside
 * images as links, no cards and no frames), and beyond them highlighted code, headings that can be linked to, and
 * addresses resolved against the place where the text lives.
 */
import type { Element, Nodes, Root } from "hast";
import { useTranslations } from "next-intl";
import type { ReactElement, ReactNode } from "react";
import Markdown, { type Components, defaultUrlTransform } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeTokens } from "../code/code-tokens";
import codeStyles from "../code/code.module.css";
import { highlightLines } from "../code/highlight";
import { CodeBox, codeOf, ELEMENTS, ImageLink } from "./elements";
import { cjkFriendly } from "./cjk";
import { splitFrontMatter } from "./front-matter";
import { type Heading, headingId } from "./heading-ids";
import styles from "./markdown.module.css";
import { isPageTooHeavy } from "./too-heavy";

export interface DocumentPlace {
  /** Where a link of this text leads; it may be relative. The answer is checked like any address. */
  link?(href: string): string;
  /** Address of a picture of our own; null for any other, which stays a link. */
  picture?(src: string): string | null;
}

export interface MarkdownDocument {
  body: ReactElement;
  /** In order, levels two and three as they are drawn. */
  headings: Heading[];
}

export function readDocument(file: string, place: DocumentPlace = {}): MarkdownDocument {
  const { fields, text } = splitFrontMatter(file);
  if (isPageTooHeavy(text)) {
    return { body: <p className={`${styles.markdown} ${styles.asWritten}`}>{file}</p>, headings: [] };
  }
  const headings: Heading[] = [];
  const { link = (href: string) => href, picture = () => null } = place;
  // Called, not rendered: the headings are known when it returns.
  const content = Markdown({
    children: text,
    remarkPlugins: [remarkGfm, cjkFriendly],
    rehypePlugins: [() => (tree: Root) => nameHeadings(tree, headings)],
    components: {
      ...COMPONENTS,
      img: ({ src, alt }) => <Picture own={typeof src === "string" ? picture(src) : null} src={src} alt={alt} />,
    },
    urlTransform: (url, key) => defaultUrlTransform(key === "href" ? link(url) : url),
  });
  const body = (
    <div className={styles.markdown}>
      {fields !== null && <HighlightedBox language="yaml" source={fields.trim()} />}
      {content}
    </div>
  );
  return { body, headings };
}

function nameHeadings(tree: Root, headings: Heading[]): void {
  const used = new Map<string, number>();
  for (const node of tree.children) {
    if (node.type !== "element" || !/^h[1-3]$/.test(node.tagName)) continue;
    const text = textOf(node).trim();
    if (text === "") continue;
    const id = headingId(text, used);
    node.properties.id = id;
    headings.push({ id, depth: node.tagName === "h3" ? 3 : 2, text });
  }
}

function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

const COMPONENTS: Components = {
  ...ELEMENTS,
  // The page's own title is its only first-level heading.
  h1: headingAs("h2", true),
  h2: headingAs("h2"),
  h3: headingAs("h3"),
  pre: ({ children }) => <HighlightedBox {...codeOf(children)} />,
};

/** `isTitle`: the file calls itself so, and a page may draw that larger than its parts. */
function headingAs(Tag: "h2" | "h3", isTitle = false): Components["h2"] {
  return function LinkedHeading({ id, node, children }) {
    if (id === undefined) return <Tag>{children}</Tag>;
    const text = textOf(node as Element).trim();
    return (
      // Its name is its words; the sign beside them has a name of its own.
      <Tag id={id} aria-label={text} data-title={isTitle ? "" : undefined}>
        {children}
        <Anchor id={id} text={text} />
      </Tag>
    );
  };
}

function Anchor({ id, text }: { id: string; text: string }): ReactNode {
  const t = useTranslations("reading");
  // biome-ignore lint/a11y/useAnchorContent: its sign is drawn by the style sheet, so that it is no part of the heading.
  return <a className={styles.anchor} href={`#${id}`} aria-label={t("anchor", { heading: text })} data-anchor="" />;
}

function HighlightedBox({ language, source }: { language: string; source: string }) {
  const lines = highlightLines(source, language);
  return (
    <CodeBox language={language} source={source} className={codeStyles.ink}>
      {lines.map((tokens, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
        <span key={index}>
          <CodeTokens tokens={tokens} />
          {index < lines.length - 1 && "\n"}
        </span>
      ))}
    </CodeBox>
  );
}

function Picture({ own, src, alt }: { own: string | null; src: unknown; alt: string | undefined }) {
  if (own === null) return <ImageLink src={typeof src === "string" ? src : undefined} alt={alt} />;
  // biome-ignore lint/performance/noImgElement: the picture is sent as it was published; nothing resizes it.
  return <img src={own} alt={alt ?? ""} loading="lazy" decoding="async" />;
}
