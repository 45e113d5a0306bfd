/**
 * Whatever has no page. The same sentence for a wrong address and for something that was never published. Every page
 * carries this one with it, so its bars are fetched when it is shown.
 */
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { shownTabs } from "../lib/site-tabs";
import { FetchedFrame } from "../ui/fetched-frame";
import { StatePage } from "../ui/state-page";

export default async function NotFound() {
  const t = await getTranslations();
  const [first] = await shownTabs();
  return (
    <FetchedFrame>
      <StatePage title="404" fact={t("errors.notFound")} note={t("errors.notFoundNote")}>
        {first && (
          <Link className="btn" href={first.href}>
            {t("errors.goTo", { page: t(`tabs.${first.key}`) })}
          </Link>
        )}
      </StatePage>
    </FetchedFrame>
  );
}
