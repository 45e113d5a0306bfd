/** About: what the site is, how it is built, what happens to a conversation, where code and security are. */
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import styles from "../../../ui/page.module.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("about");
  return { title: t("title"), description: t("lead") };
}

export default async function AboutPage() {
  const t = await getTranslations("about");
  const tabs = await getTranslations("tabs");
  const pages = [
    { key: "runtime", href: "/" },
    { key: "notes", href: "/notes" },
    { key: "skills", href: "/skills" },
    { key: "source", href: "/source" },
  ] as const;
  return (
    <main className={styles.wide}>
      <header>
        <div>
          <h1>{t("headline")}</h1>
          <p className={styles.lead}>{t("lead")}</p>
        </div>
      </header>
      <section className={styles.group}>
        <h2>{t("how")}</h2>
        <ol className={styles.facts}>
          {(["cleaned", "roles", "turn", "same"] as const).map((key, index) => (
            <li key={key}>
              <span className="num">{index + 1}</span>
              <span>{t(`points.${key}`)}</span>
            </li>
          ))}
        </ol>
      </section>
      <section className={styles.group}>
        <h2>{t("parts")}</h2>
        <ul className={`${styles.facts} ${styles.named}`}>
          {pages.map(({ key, href }) => (
            <li key={key}>
              <span>
                <Link href={href}>{tabs(key)}</Link>
              </span>
              <span>{t(key)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.group}>
        <h2>{t("privacy")}</h2>
        <ol className={styles.facts}>
          {(["cookie", "kept", "public"] as const).map((key, index) => (
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
          <p>{t("codeNote")}</p>
        </div>
      </section>
    </main>
  );
}
