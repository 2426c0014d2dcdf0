// The texts and formats in use: plural forms, numbers, times, and the choice of a language.

import { act, render, screen } from "@testing-library/react";
import { I18nextProvider } from "react-i18next";
import { describe, expect, test } from "vitest";
import {
  chooseLanguage,
  createTexts,
  formatIn,
  type Language,
  languages,
  localeOf,
  useLocale,
} from "./index.ts";

const t = (language: Language) => localeOf(createTexts(language)).t;

test("a count chooses the plural form and is written as the language does (LC-2)", () => {
  expect(t("en")("card.files", { count: 1 })).toBe("1 file");
  expect(t("en")("card.files", { count: 0 })).toBe("0 files");
  expect(t("en")("card.files", { count: 1234 })).toBe("1,234 files");
  expect(t("zh")("card.files", { count: 1 })).toBe("1 个文件");
  expect(t("zh-TW")("card.files", { count: 1234 })).toBe("1,234 個檔案");
});

test("codes stay in English in every language (LC-2)", () => {
  for (const language of languages) expect(t(language)("fileMark.modify")).toBe("M");
});

test("a place in a text takes the value as it is; the page escapes it", () => {
  expect(t("en")("diff.title", { path: "a/<b>&.txt" })).toBe("Diff of a/<b>&.txt");
});

test.each([
  [["zh-TW"], "zh-TW"],
  [["zh-HK", "en"], "zh-TW"],
  [["zh-Hant-TW"], "zh-TW"],
  [["zh-Hans-HK"], "zh"],
  [["zh-CN"], "zh"],
  [["zh"], "zh"],
  [["zh_TW"], "zh-TW"],
  [["de-DE", "zh-CN"], "zh"],
  [["en-GB", "zh-CN"], "en"],
  [["fr"], "en"],
  [[], "en"],
] as const)("a system that wishes %j gets %s", (wanted, language) => {
  expect(chooseLanguage(wanted)).toBe(language);
});

describe("formats", () => {
  const en = formatIn("en");

  test("less than all is never shown as all (CF-4)", () => {
    expect(en.share(0.9999)).toBe("99.9%");
    expect(en.share(1)).toBe("100%");
    expect(en.share(0.987)).toBe("98.7%");
  });

  test.each([
    [40, "40 ms"],
    [100, "0.1 s"],
    [400, "0.4 s"],
    [4_200, "4.2 s"],
    [59_960, "1 min 0 s"],
    [65_400, "1 min 5 s"],
    [3_725_000, "1 h 2 min"],
  ])("%d ms read %s", (milliseconds, text) => {
    expect(en.duration(milliseconds)).toBe(text);
  });

  test.each([
    [0, ""],
    [59, ""],
    [60, "1 min"],
    [2 * 3600 + 5, "2 h"],
    [3 * 86_400, "3 d"],
    [-5, ""],
  ])("%d seconds ago reads %s", (seconds, text) => {
    expect(en.age(1_700_000_000 - seconds, 1_700_000_000)).toBe(text);
  });

  test("each language has its own", () => {
    expect(formatIn("zh").age(0, 7200)).toBe("2 小时");
    expect(formatIn("zh-TW").age(0, 7200)).toBe("2 小時");
    expect(en.compact(186_000)).toBe("186K");
    expect(formatIn("zh").compact(186_000)).toBe("18.6万");
    expect(formatIn("zh-TW").compact(186_000)).toBe("18.6萬");
    expect(en.size(1_234)).toBe("1.2 kB");
    expect(formatIn("zh").duration(4_200)).toBe("4.2 秒");
    expect(formatIn("zh").duration(12)).toBe("12 毫秒");
    expect(formatIn("zh-TW").duration(65_000)).toBe("1 分鐘 5 秒");
  });
});

function Words() {
  const { t, format, language } = useLocale();
  return <p>{`${language} ${t("diff.none")} ${format.compact(20_000)}`}</p>;
}

test("a component is rendered again when the language changes", async () => {
  const texts = createTexts("en");
  render(
    <I18nextProvider i18n={texts}>
      <Words />
    </I18nextProvider>,
  );
  expect(screen.getByText("en No net changes 20K")).toBeInTheDocument();
  await act(async () => {
    await texts.changeLanguage("zh-TW");
  });
  expect(screen.getByText("zh-TW 沒有淨變更 2萬")).toBeInTheDocument();
});
