// What a turn's requests cost. What the provider does not say is unknown, never zero (US-1).

import type { Usage } from "../bindings.ts";
import type { MessageUsage } from "./session.ts";
import { isCount } from "./shape.ts";

/** Tokens of several requests; `undefined` where one of them did not say. */
export type UsageTotals = {
  readonly requests: number;
  /** Cached ones included. */
  readonly inputTokens: number | undefined;
  readonly cacheHitTokens: number | undefined;
  readonly cacheMissTokens: number | undefined;
  readonly outputTokens: number | undefined;
};

export function usageTotals(usage: readonly MessageUsage[]): UsageTotals {
  return {
    requests: usage.length,
    inputTokens: total(usage, inputOf),
    cacheHitTokens: total(usage, (it) => known(it.cacheHitTokens)),
    cacheMissTokens: total(usage, missOf),
    outputTokens: total(usage, (it) => known(it.outputTokens)),
  };
}

/**
 * The share of the input that the provider's cache held, from 0 to 1, over the requests that say
 * it; `undefined` if none does. Some providers say what was cached and what was not, others what
 * was cached of how much; a report that would exceed all is not counted (CF-4).
 */
export function cacheHitRate(usage: readonly MessageUsage[]): number | undefined {
  let hits = 0;
  let inputs = 0;
  for (const { usage: it } of usage) {
    const hit = known(it.cacheHitTokens);
    const miss = known(it.cacheMissTokens);
    if (hit === undefined) continue;
    const input = miss === undefined ? known(it.inputTokens) : hit + miss;
    if (input === undefined || hit > input) continue;
    hits += hit;
    inputs += input;
  }
  return inputs === 0 ? undefined : hits / inputs;
}

/** Tokens of the last request and its answer: how full the context is, if the provider said so. */
export function contextTokens(usage: readonly MessageUsage[]): number | undefined {
  const last = usage.at(-1)?.usage;
  if (last === undefined) return undefined;
  const input = inputOf(last);
  const output = known(last.outputTokens);
  return input === undefined || output === undefined ? undefined : input + output;
}

function total(
  usage: readonly MessageUsage[],
  of: (usage: Usage) => number | undefined,
): number | undefined {
  let sum = 0;
  for (const it of usage) {
    const tokens = of(it.usage);
    if (tokens === undefined) return undefined;
    sum += tokens;
  }
  return usage.length === 0 ? undefined : sum;
}

function inputOf(usage: Usage): number | undefined {
  const input = known(usage.inputTokens);
  if (input !== undefined) return input;
  const hit = known(usage.cacheHitTokens);
  const miss = known(usage.cacheMissTokens);
  return hit === undefined || miss === undefined ? undefined : hit + miss;
}

function missOf(usage: Usage): number | undefined {
  const miss = known(usage.cacheMissTokens);
  if (miss !== undefined) return miss;
  const input = known(usage.inputTokens);
  const hit = known(usage.cacheHitTokens);
  return input === undefined || hit === undefined || hit > input ? undefined : input - hit;
}

function known(tokens: number | null | undefined): number | undefined {
  return isCount(tokens) ? tokens : undefined;
}
