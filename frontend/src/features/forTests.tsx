// For tests: a part of the page in a language.

import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { I18nextProvider } from "react-i18next";
import { createTexts, type Language } from "../locale/index.ts";

export function renderIn(node: ReactNode, language: Language = "en") {
  const texts = createTexts(language);
  const inLanguage = (shown: ReactNode) => <I18nextProvider i18n={texts}>{shown}</I18nextProvider>;
  const { rerender, ...rest } = render(inLanguage(node));
  return { ...rest, rerender: (next: ReactNode) => rerender(inLanguage(next)) };
}

export const bytes = (text: string) => new TextEncoder().encode(text);
