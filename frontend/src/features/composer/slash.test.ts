// The words after a slash (UI-33).

import { expect, test } from "vitest";
import type { SettingsView } from "../../backend/backend.ts";
import { slashOf } from "./slash.ts";

const view: SettingsView = {
  provider: { provider: "deepseek", baseUrl: null, model: "deepseek-v4-pro" },
  key: "keychain",
  saved: true,
  problem: null,
  keysGoTo: "keychain",
  file: "/home/you/.evident/config.toml",
  catalog: [
    {
      id: "deepseek",
      name: "DeepSeek",
      baseUrl: "https://api.deepseek.com",
      needsKey: true,
      key: "keychain",
      models: [
        { id: "deepseek-v4-flash", contextTokens: 1_000_000 },
        { id: "deepseek-v4-pro", contextTokens: 1_000_000 },
      ],
    },
    { id: "custom", name: "Custom", baseUrl: null, needsKey: false, key: null, models: [] },
  ],
};

const labels = (draft: string) => slashOf(draft, view)?.choices.map((it) => it.label);

test("UI-33: a slash lists the words, and letters narrow them down", () => {
  expect(labels("/")).toEqual(["/model", "/provider"]);
  expect(labels("/p")).toEqual(["/provider"]);
  expect(labels("/x")).toEqual([]);
});

test("UI-33: /model lists the models of the provider, the one in use first, and takes another name", () => {
  expect(labels("/model ")).toEqual(["deepseek-v4-pro", "deepseek-v4-flash"]);
  expect(labels("/model PRO")).toEqual(["deepseek-v4-pro", "PRO"]);
  expect(labels("/model deepseek-v4-pro")).toEqual(["deepseek-v4-pro"]);
});

test("UI-33: /provider lists the providers by name", () => {
  expect(labels("/provider deep")).toEqual(["DeepSeek"]);
});

test("a text with a slash in it, or lines after it, is a message", () => {
  expect(slashOf("look at /model", view)).toBeUndefined();
  expect(slashOf("/model x\nand more", view)).toBeUndefined();
  expect(slashOf("/etc/hosts is wrong here", view)).toBeUndefined();
});
