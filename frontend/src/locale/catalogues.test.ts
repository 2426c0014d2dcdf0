// The three catalogues say the same things, and nothing that is never said (LC-1, LC-2).

import { describe, expect, test } from "vitest";
import { en } from "./en.ts";
import { type Language, pageLanguage } from "./languages.ts";
import { zh } from "./zh.ts";
import { zhTW } from "./zhTW.ts";

const catalogues: [Language, object][] = [
  ["en", en],
  ["zh", zh],
  ["zh-TW", zhTW],
];

/** Each text under its whole key. */
function texts(catalogue: object, path = ""): [key: string, text: string][] {
  return Object.entries(catalogue).flatMap(([name, value]: [string, unknown]) => {
    const key = path + name;
    if (typeof value === "string") return [[key, value]];
    if (typeof value === "object" && value !== null) return texts(value, `${key}.`);
    throw new Error(`${key} is neither text nor group`);
  });
}

const PLURAL = /_(zero|one|two|few|many|other)$/;

const withoutForm = (key: string) => key.replace(PLURAL, "");

const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(.*?)\}\}/g)].map((it) => it[1]?.replaceAll(" ", "") ?? "").sort();

const english = texts(en);

describe.each(catalogues)("the catalogue %s", (language, catalogue) => {
  const own = texts(catalogue);

  test("has the keys of the English one", () => {
    const keys = (of: typeof own) => [...new Set(of.map(([key]) => withoutForm(key)))].sort();
    expect(keys(own)).toEqual(keys(english));
  });

  test("has each plural form that its language needs, and no other", () => {
    const needed = new Intl.PluralRules(pageLanguage(language)).resolvedOptions().pluralCategories;
    const forms = new Map<string, string[]>();
    for (const [key] of own) {
      const form = PLURAL.exec(key)?.[1];
      if (form === undefined) continue;
      forms.set(withoutForm(key), [...(forms.get(withoutForm(key)) ?? []), form]);
    }
    expect(forms.size).toBeGreaterThan(0);
    for (const [key, found] of forms)
      expect([key, found.sort()]).toEqual([key, [...needed].sort()]);
  });

  test("has the placeholders of the English one", () => {
    const places = new Map(english.map(([key, text]) => [withoutForm(key), placeholders(text)]));
    for (const [key, text] of own) {
      expect([key, placeholders(text)]).toEqual([key, places.get(withoutForm(key))]);
    }
  });

  test("has no empty text, and no blank at an end", () => {
    for (const [key, text] of own) expect([key, text.trim()]).toEqual([key, text || "a text"]);
  });
});

/** What is the same in every language: codes, marks, names, and words that both scripts share. */
const SAME_IN_ENGLISH = /^(app\.name|fileMark\.|language\.|quiet|step\.recovery)/;

test.each([
  ["zh", zh],
  ["zh-TW", zhTW],
])("%s is written in Chinese throughout", (_, catalogue) => {
  for (const [key, text] of texts(catalogue)) {
    if (SAME_IN_ENGLISH.test(key)) continue;
    expect([key, /\p{Script=Han}/u.test(text)]).toEqual([key, true]);
  }
});

test("neither script stands in the other's catalogue", () => {
  const simplified = /[这个们时为国对发会经实点电见关问题书车东乐门间轮设档权检运载写删]/u;
  const traditional = /[這個們時為國對發會經實點電見關問題書車東樂門間輪設檔權檢運載寫刪]/u;
  const isOwnName = (key: string) => key.startsWith("language.");
  for (const [key, text] of texts(zh)) {
    if (!isOwnName(key)) expect([key, traditional.exec(text)?.[0]]).toEqual([key, undefined]);
  }
  for (const [key, text] of texts(zhTW)) {
    if (!isOwnName(key)) expect([key, simplified.exec(text)?.[0]]).toEqual([key, undefined]);
  }
});

test("the traditional catalogue uses the words of Taiwan", () => {
  const mainland = /文件|默認|信息|軟件|網絡|設置|保存為|服務商|會話|密鑰|緩存|運行|打開|側欄/u;
  const text = texts(zhTW).map(([key, it]) => `${key}: ${it}`);
  expect(text.filter((it) => mainland.test(it))).toEqual([]);
});

const sources = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../locale/**", "!../bindings.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

test("each text is asked for somewhere", () => {
  const source = Object.values(sources).join("\n");
  const isAskedFor = (key: string) => {
    if (source.includes(`"${key}"`)) return true;
    // A key that is put together: `gap.${reason}`
    const groups = key.split(".").map((_, at, names) => names.slice(0, at).join("."));
    return groups.some((group) => group !== "" && source.includes(`\`${group}.\${`));
  };
  const keys = english.map(([key]) => withoutForm(key));
  expect(keys.filter((key) => !isAskedFor(key))).toEqual([]);
});
