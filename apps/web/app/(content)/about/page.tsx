/** About: what the site is and how it is built, who runs it, what happens to a conversation, where code and security are. */
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { LanguageBar, OwnerCard, Repositories } from "../../../features/about/owner-card";
import { isHere, readAbout, readSourceIndex } from "../../../lib/api";
import { fileHref } from "../../../lib/file-address";
import { pageMetadata } from "../../../lib/page-metadata";
import { requireTab, shownTabs } from "../../../lib/site-tabs";
import { languageOf } from "../../../lib/text-measure";
import styles from "../../../ui/page.module.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("about");
  return pageMetadata({ path: "/about", title: t("title"), description: t("lead") });
}

/** What the program itself says of how it is built; an owner may say it in their own words instead. */
const POINTS = ["cleaned", "roles", "turn", "same"] as const;
const PRIVACY = ["cookie", "views", "kept", "public"] as const;
/** A page of the source, where that is shown and has it. */
const SECURITY = "docs/security.md";

export default async function AboutPage() {
  await requireTab("about");
  const [t, names, about, tabs] = await Promise.all([
    getTranslations("about"),
    getTranslations("tabs"),
    readAbout(),
    shownTabs(),
  ]);
  const owner = isHere(about) ? about : null;
  const source = tabs.some(({ key }) => key === "source") ? await readSourceIndex() : null;
  const canReadSecurity = isHere(source) && source.files.some(({ path }) => path === SECURITY);
  const points =
    owner !== null && owner.buildPoints.length > 0 ? owner.buildPoints : POINTS.map((key) => t(`points.${key}`));
  return (
    <main className={styles.wide}>
      <header>
        <div>
          <h1>{t("headline")}</h1>
          <p className={styles.lead}>{t("lead")}</p>
        </div>
      </header>
      {about === "down" && (
        <section className={styles.group}>
          <div className={styles.empty} role="status">
            <p>{t("down")}</p>
          </div>
        </section>
      )}
      {owner !== null && <OwnerCard {...owner} />}
      <section className={styles.group}>
        <h2>{t("how")}</h2>
        <ol className={styles.facts}>
          {points.map((point, index) => (
            <li key={point}>
              <span className="num">{index + 1}</span>
              <span lang={languageOf(point)}>{point}</span>
            </li>
          ))}
        </ol>
      </section>
      <section className={styles.group}>
        <h2>{t("parts")}</h2>
        <ul className={`${styles.facts} ${styles.named}`}>
          {tabs.map(({ key, href }) =>
            key === "about" ? null : (
              <li key={key}>
                <span>
                  <Link href={href}>{names(key)}</Link>
                </span>
                <span>{t(key)}</span>
              </li>
            ),
          )}
        </ul>
      </section>
      {owner !== null && <Repositories {...owner} />}
      {owner !== null && <LanguageBar {...owner} />}
      <section className={styles.group}>
        <h2>{t("privacy")}</h2>
        <ol className={styles.facts}>
          {PRIVACY.map((key, index) => (
            <li key={key}>
              <span className="num">{index + 1}</span>
              <span>{t(`privacyPoints.${key}`)}</span>
            </li>
          ))}
        </ol>
      </section>
      <section className={styles.group}>
        <h2>{t("code")}</h2>
        <div className={styles.empty}>
          <p>
            {t.rich("codeNote", {
              doc: (name) =>
                canReadSecurity ? (
                  <Link href={fileHref("/source", SECURITY)} prefetch={false}>
                    {name}
                  </Link>
                ) : (
                  name
                ),
            })}
          </p>
        </div>
      </section>
    </main>
  );
}
