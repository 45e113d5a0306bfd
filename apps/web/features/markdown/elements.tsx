/** How the elements of Markdown are drawn, the same in a conversation and on a page. */
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { isValidElement } from "react";
import type { Components } from "react-markdown";
import { linkAddress } from "../../../../shared/cards/links";
import { CopyButton } from "../../ui/copy-button";
import styles from "./markdown.module.css";
import { isOwnPicture, OwnPicture } from "./own-picture";

export const ELEMENTS: Components = {
  // A paragraph that is emphasised as a whole is an aside, and reads as one in both languages.
  p: ({ node, children }) => <p className={isAside(node) ? styles.aside : undefined}>{children}</p>,
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  // Loading any other image would tell its host who reads this page.
  img: ({ src, alt }) =>
    typeof src === "string" && isOwnPicture(src) ? (
      <OwnPicture key={src} src={src} alt={alt ?? ""} />
    ) : (
      <ImageLink src={typeof src === "string" ? src : undefined} alt={alt} />
    ),
  pre: ({ children }) => <Pre>{children}</Pre>,
  table: ({ children }) => <TableBox>{children}</TableBox>,
  input: ({ node: _, ...props }) => <input {...props} disabled />,
};

function SafeLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) return <span>{children}</span>;
  if (href.startsWith("#")) return <a href={href}>{children}</a>;
  // What only looks like a path of this site would make the router leave it, from this very tab.
  if (href.startsWith("/") && linkAddress(href) !== undefined) {
    return (
      <Link href={href} prefetch={false}>
        {children}
      </Link>
    );
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
    </a>
  );
}

/** A picture that is not shown, as a link to it; one beside the text is not published, and only its words are here. */
export function ImageLink({ src, alt }: { src: string | undefined; alt: string | undefined }) {
  const t = useTranslations("chat");
  const isElsewhere = src !== undefined && /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(src);
  return <SafeLink href={isElsewhere ? src : undefined}>{t("image", { alt: alt || src || "" })}</SafeLink>;
}

/** A code block as it is, in one colour. */
export function Pre({ children }: { children?: ReactNode }) {
  const { language, source } = codeOf(children);
  return (
    <CodeBox language={language} source={source}>
      {source}
    </CodeBox>
  );
}

/** Language and text of a code block, from the children of its `pre`. */
export function codeOf(children: ReactNode): { language: string; source: string } {
  const code = isValidElement(children) ? (children as ReactElement<ComponentProps<"code">>) : null;
  return {
    language: /language-([\w+#-]+)/.exec(code?.props.className ?? "")?.[1] ?? "",
    source: String(code?.props.children ?? "").replace(/\n$/, ""),
  };
}

/** `children` is the text as it is drawn; `source` is what is copied. */
export function CodeBox({
  language,
  source,
  className,
  children,
}: {
  language: string;
  source: string;
  className?: string;
  children: ReactNode;
}) {
  const t = useTranslations("chat");
  return (
    <figure className={styles.box}>
      <figcaption>
        <span>{language}</span>
        <CopyButton text={source} label={t("copy")} done={t("copied")} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must reach them. */}
      <pre tabIndex={0} className={className}>
        <code>{children}</code>
      </pre>
    </figure>
  );
}

function TableBox({ children }: { children: ReactNode }) {
  const t = useTranslations("chat");
  return (
    // A group and no region: a page may hold many, and a landmark has a name of its own.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and the keyboard must reach it.
    <section role="group" className={styles.box} aria-label={t("table")} tabIndex={0}>
      <table>{children}</table>
    </section>
  );
}

function isAside(node: { children: readonly unknown[] } | undefined): boolean {
  const only = node?.children.length === 1 ? node.children[0] : undefined;
  return typeof only === "object" && only !== null && "tagName" in only && only.tagName === "em";
}
