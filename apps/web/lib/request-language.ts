/** next-intl's request configuration: the language of this request and its sentences, chat and trace merged. */
import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import cardsEn from "../messages/cards.en.json";
import cardsZh from "../messages/cards.zh.json";
import chatExtrasEn from "../messages/chat-extras.en.json";
import chatExtrasZh from "../messages/chat-extras.zh.json";
import en from "../messages/en.json";
import framesEn from "../messages/frames.en.json";
import framesZh from "../messages/frames.zh.json";
import panelEn from "../messages/panel.en.json";
import panelZh from "../messages/panel.zh.json";
import reportEn from "../messages/report.en.json";
import reportZh from "../messages/report.zh.json";
import traceEn from "../messages/trace.en.json";
import traceZh from "../messages/trace.zh.json";
import zh from "../messages/zh.json";
import { PREFERENCE_COOKIE, parsePreference, pickLanguage } from "./preference";

const MESSAGES = {
  en: { ...en, ...cardsEn, ...chatExtrasEn, ...framesEn, ...panelEn, ...reportEn, ...traceEn },
  zh: { ...zh, ...cardsZh, ...chatExtrasZh, ...framesZh, ...panelZh, ...reportZh, ...traceZh },
};

export default getRequestConfig(async () => {
  const preference = parsePreference((await cookies()).get(PREFERENCE_COOKIE)?.value);
  const locale = pickLanguage(preference, (await headers()).get("accept-language"));
  return { locale, messages: MESSAGES[locale] };
});
