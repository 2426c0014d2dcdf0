// What the command menu lists for what is typed.

import { expect, test } from "vitest";
import { type Command, type CommandPage, matching } from "./commandPage.ts";

const line = (label: string, group?: string): Command => ({
  id: label,
  label,
  group,
  does: "run",
  run: () => {},
});
const page: CommandPage = {
  title: "",
  placeholder: "",
  commands: [line("Open folder…", "Session"), line("Change the theme"), line("Show folder")],
};
const labels = (query: string, of = page) => matching(of, query).map((it) => it.label);

test("every word that is typed must be in the line, and lines that begin with it come first", () => {
  expect(labels("")).toHaveLength(3);
  expect(labels("folder")).toEqual(["Open folder…", "Show folder"]);
  expect(labels("folder open")).toEqual(["Open folder…"]);
  expect(labels("show")).toEqual(["Show folder"]);
  expect(labels("session")).toEqual(["Open folder…"]);
  expect(labels("nothing")).toEqual([]);
});

test("a page that takes any text offers what is typed, once", () => {
  const models = { ...page, typed: (text: string) => line(text) };
  expect(labels("gpt", models)).toEqual(["gpt"]);
  expect(labels("show folder", models)).toEqual(["Show folder"]);
});
