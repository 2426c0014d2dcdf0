// Computes the contrast of every pair of colours that meets on screen, in both themes (WCAG AA).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Theme = "light" | "dark";
type Pair = readonly [front: string, ...grounds: string[]];

const TEXT_CONTRAST = 4.5;
const PART_CONTRAST = 3;

const grounds = ["bg", "panel", "side", "hover"] as const;
const lines = ["panel", "bg", "add-bg", "del-bg"] as const;

/** Text, and where it stands. */
const textPairs: Pair[] = [
  [
    "text",
    ...grounds,
    ...lines,
    "add-word",
    "del-word",
    "accent-bg",
    "pass-bg",
    "fail-bg",
    "warn-bg",
  ],
  ["muted", ...grounds, ...lines],
  ["faint", ...grounds, ...lines],
  ["accent", ...grounds, "accent-bg"],
  ["pass", ...grounds, "pass-bg", "add-bg"],
  ["fail", ...grounds, "fail-bg", "del-bg"],
  ["warn", ...grounds, "warn-bg"],
  // The filled button, and text on a status ground.
  ["bg", "text"],
  ["code-token-keyword", ...lines, "hover"],
  ["code-token-string", ...lines, "hover"],
  ["code-token-string-expression", ...lines, "hover"],
  ["code-token-constant", ...lines, "hover"],
  ["code-token-function", ...lines, "hover"],
  ["code-token-parameter", ...lines, "hover"],
  ["code-token-comment", ...lines, "hover"],
  ["code-token-punctuation", ...lines, "hover"],
  ["code-token-link", ...lines, "hover"],
];

/** What is no text but must be seen: the focus ring, and the dots and signs of a state. */
const partPairs: Pair[] = [
  ["accent", ...grounds, ...lines],
  ["pass", ...grounds],
  ["fail", ...grounds],
  ["warn", ...grounds],
  ["faint", ...grounds],
];

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");

test.each(["light", "dark"] as const)(
  "AA: text is legible on every ground in the %s theme",
  (theme) => {
    expect(tooWeak(textPairs, theme, TEXT_CONTRAST)).toEqual([]);
  },
);

test.each(["light", "dark"] as const)("AA: rings and signs stand out in the %s theme", (theme) => {
  expect(tooWeak(partPairs, theme, PART_CONTRAST)).toEqual([]);
});

test("every colour says both themes", () => {
  const colours = [...css.matchAll(/--([\w-]+):\s*([^;]*#[^;]*);/g)];
  expect(colours.length).toBeGreaterThan(20);
  for (const [, name, value] of colours) {
    expect(`${name}: ${value}`).toMatch(/light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)$/);
  }
});

function tooWeak(pairs: Pair[], theme: Theme, least: number): string[] {
  return pairs.flatMap(([front, ...under]) =>
    under.flatMap((ground) => {
      const ratio = contrast(colour(front, theme), colour(ground, theme));
      return ratio < least ? [`${front} on ${ground}: ${ratio.toFixed(2)}`] : [];
    }),
  );
}

function colour(name: string, theme: Theme): string {
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(css)?.[1];
  if (value === undefined) throw new Error(`there is no --${name}`);
  const same = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  if (same !== undefined) return colour(same, theme);
  const [light, dark] = value.match(/#[0-9a-f]{6}/g) ?? [];
  const found = theme === "light" ? light : dark;
  if (found === undefined) throw new Error(`--${name} is no pair of colours`);
  return found;
}

/** The ratio of WCAG 2.2, from 1 to 21. */
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
