// The texts of the window: i18next over our catalogues, and the formats of the language in use.

import { createInstance, type i18n } from "i18next";
import { useMemo } from "react";
import { initReactI18next, useTranslation } from "react-i18next";
import type { TextKey } from "./catalogue.ts";
import { en } from "./en.ts";
import { type Format, formatIn } from "./format.ts";
import { type Language, languages } from "./languages.ts";
import { zh } from "./zh.ts";
import { zhTW } from "./zhTW.ts";

export { I18nextProvider } from "react-i18next";
export type { TextKey } from "./catalogue.ts";
export { type Format, formatIn } from "./format.ts";
export { chooseLanguage, type Language, languages, pageLanguage } from "./languages.ts";

/** Returns a text; `count` chooses its plural form. A key that does not exist does not compile. */
export type Translate = (key: TextKey, values?: TextValues) => string;

/** What stands in the places of a text: `{{name}}`. */
export type TextValues = { readonly [name: string]: string | number };

/** The texts and formats of the language in use. */
export type Locale = {
  readonly t: Translate;
  readonly format: Format;
  readonly language: Language;
};

/** Creates the texts, ready to use; react-i18next's `I18nextProvider` hands them to the page. */
export function createTexts(language: Language): i18n {
  const texts = createInstance();
  // It is done when it returns: the texts are here already.
  void texts.use(initReactI18next).init({
    lng: language,
    supportedLngs: [...languages],
    fallbackLng: false,
    load: "currentOnly",
    initAsync: false,
    resources: {
      en: { translation: en },
      zh: { translation: zh },
      "zh-TW": { translation: zhTW },
    },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return texts;
}

/** The texts outside of a component, for the language in use now. */
export function localeOf(texts: i18n): Locale {
  const language = languages.find((it) => it === texts.language) ?? "en";
  return {
    t: (key, values) => texts.t(key, { ...values }),
    format: formatIn(language),
    language,
  };
}

/** The texts in a component, which is rendered again when the language changes. */
export function useLocale(): Locale {
  const { i18n } = useTranslation();
  const { language } = i18n;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `i18n` is the same in every language.
  return useMemo(() => localeOf(i18n), [i18n, language]);
}
