// What is unknown stays unknown, and no hit rate exceeds all (CF-4, US-1).

import { describe, expect, test } from "vitest";
import type { Usage } from "../bindings.ts";
import { reduceEvent } from "./reduce.ts";
import { emptySession } from "./session.ts";
import { recorded } from "./tests/recorded.ts";
import { cacheHitRate, contextTokens, usageTotals } from "./usage.ts";

const of = (...usage: Usage[]) => usage.map((it, index) => ({ message: `m0-${index}`, usage: it }));

describe("the hit rate (CF-4)", () => {
  test.each([
    ["hit and miss", [{ inputTokens: 100, cacheHitTokens: 60, cacheMissTokens: 20 }], 0.75],
    ["cached of the input", [{ inputTokens: 100, cacheHitTokens: 60 }], 0.6],
    ["everything cached", [{ inputTokens: 100, cacheHitTokens: 100 }], 1],
    ["nothing cached", [{ inputTokens: 100, cacheHitTokens: 0 }], 0],
    ["more cached than asked", [{ inputTokens: 100, cacheHitTokens: 150 }], undefined],
    ["no word on the cache", [{ inputTokens: 100 }], undefined],
    ["no word at all", [{}], undefined],
    ["no request", [], undefined],
    ["a bad counter", [{ inputTokens: 100, cacheHitTokens: -1 }], undefined],
    [
      "requests of which one is silent",
      [{ inputTokens: 100, cacheHitTokens: 50 }, {}, { inputTokens: 300, cacheHitTokens: 250 }],
      0.75,
    ],
  ])("of %s", (_, usage, rate) => {
    expect(cacheHitRate(of(...usage))).toBe(rate);
  });
});

test("a total with an unknown part is unknown, not smaller (US-1)", () => {
  const known = { inputTokens: 100, cacheHitTokens: 60, outputTokens: 5 };
  expect(usageTotals(of(known, known))).toEqual({
    requests: 2,
    inputTokens: 200,
    cacheHitTokens: 120,
    cacheMissTokens: 80,
    outputTokens: 10,
  });
  expect(usageTotals(of(known, {}))).toEqual({
    requests: 2,
    inputTokens: undefined,
    cacheHitTokens: undefined,
    cacheMissTokens: undefined,
    outputTokens: undefined,
  });
  expect(usageTotals([]).inputTokens).toBeUndefined();
});

test("the recorded turn says the cache of its first request and nothing of the others", () => {
  const state = recorded("edit_and_check").reduce(reduceEvent, emptySession);
  const usage = state.turns.get(0)?.usage ?? [];
  expect(usage).toHaveLength(4);
  expect(cacheHitRate(usage)).toBeCloseTo(1024 / 1200);
  expect(contextTokens(usage)).toBeUndefined();
  expect(contextTokens(usage.slice(0, 1))).toBe(1230);
});
