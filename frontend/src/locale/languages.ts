// The languages there are, and which of them a system's list of wishes means.

export const languages = ["en", "zh", "zh-TW"] as const;

export type Language = (typeof languages)[number];

/** Returns the first language of the list that there is; English if there is none. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [base, ...rest] = tag.toLowerCase().split(/[-_]/);
    if (base === "en") return "en";
    if (base !== "zh") continue;
    if (rest.includes("hans")) return "zh";
    return rest.some((it) => ["hant", "tw", "hk", "mo"].includes(it)) ? "zh-TW" : "zh";
  }
  return "en";
}

/** The tag for `lang` in the page, which picks the right shapes of the characters. */
export function pageLanguage(language: Language): string {
  switch (language) {
    case "en":
      return "en";
    case "zh":
      return "zh-Hans-CN";
    case "zh-TW":
      return "zh-Hant-TW";
  }
}
