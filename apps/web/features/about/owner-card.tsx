/** What the owner published of themselves and the site (§17). A field that is empty leaves no trace. */
import { useLocale, useTranslations } from "next-intl";
import type { AboutView } from "../../../../shared/contracts/about";
import { languageOf } from "../../lib/text-measure";
import { shortDay } from "../../lib/time";
import { isWebAddress } from "../../lib/web-address";
import page from "../../ui/page.module.css";
import styles from "./about.module.css";

export function OwnerCard({ githubUser, originUrl, intro }: AboutView) {
  const t = useTranslations("about");
  const site = isWebAddress(originUrl) ? new URL(originUrl) : null;
  if (intro === "" && githubUser === "" && site === null) return null;
  return (
    <section className={page.group}>
      <h2>{t("owner")}</h2>
      <div className={styles.owner}>
        {intro !== "" && <p lang={languageOf(intro)}>{intro}</p>}
        <ul>
          {githubUser !== "" && (
            <li>
              <a href={`https://github.com/${encodeURIComponent(githubUser)}`} rel="noopener noreferrer">
                github.com/{githubUser}
              </a>
            </li>
          )}
          {site !== null && (
            <li>
              <a href={site.href} rel="noopener noreferrer">
                {site.host}
              </a>
            </li>
          )}
        </ul>
      </div>
    </section>
  );
}

export function Repositories({ repos, githubUser }: AboutView) {
  const t = useTranslations("about");
  const locale = useLocale();
  if (repos.length === 0) return null;
  return (
    <section className={page.group}>
      <h2>{t("repositories")}</h2>
      <ul className={styles.repositories}>
        {repos.map((repo) => (
          <li key={repo.name}>
            <span className={styles.name}>
              {githubUser === "" ? (
                repo.name
              ) : (
                <a
                  href={`https://github.com/${encodeURIComponent(githubUser)}/${encodeURIComponent(repo.name)}`}
                  rel="noopener noreferrer"
                >
                  {repo.name}
                </a>
              )}
            </span>
            <span lang={languageOf(repo.desc)}>{repo.desc}</span>
            <span className="num">
              {repo.lang !== "" && <i style={{ background: repo.dot }} />}
              {repo.lang}
            </span>
            <span className="num">{repo.stars > 0 && t("stars", { count: repo.stars })}</span>
            <span className="num">{dayOf(repo.pushed, locale, (day) => t("pushed", { day }))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Steps of ink instead of the colours that code hosts give to languages: the order says the same. */
export function LanguageBar({ langBar }: AboutView) {
  const t = useTranslations("about");
  const parts = langBar.filter(({ pct }) => pct > 0);
  if (parts.length === 0) return null;
  return (
    <section className={page.group}>
      <h2>{t("languages")}</h2>
      <div className={styles.languages}>
        <div className={styles.bar} aria-hidden="true">
          {parts.map(({ name, pct }, index) => (
            <i key={name} style={{ flexGrow: pct, opacity: Math.max(0.12, 0.62 ** index) }} />
          ))}
        </div>
        <ul>
          {parts.map(({ name, pct }) => (
            <li key={name} className="num">
              {name} {pct}%
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** A day as the owner wrote it; what is no date stays out. */
function dayOf(written: string, locale: string, sentence: (day: string) => string): string {
  const time = Date.parse(written);
  return Number.isNaN(time) ? "" : sentence(shortDay(new Date(time).toISOString(), locale));
}
