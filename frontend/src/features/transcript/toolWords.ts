// How a call reads on its line: the verb for its tool, and the word and tone for how it stands.

import type { Format, Translate } from "../../locale/index.ts";
import type { ToolItem } from "../../state/session.ts";
import { toolWord } from "../../state/toolWord.ts";

/**
 * The verb says how far the call is known to have come: it is meant to, it does, it did. A command
 * that left an exit code did run.
 */
export function verbOf({ tool, status, exitCode }: ToolItem, t: Translate): string {
  const deed = toolWord(tool);
  switch (status) {
    case "pending":
    case "awaiting_permission":
    case "rejected":
    case "cancelled":
    case "interrupted":
    case "unknown":
      return t(`step.plan.${deed}`);
    case "running":
      return t(`step.running.${deed}`);
    case "failed":
      return t(exitCode === undefined ? `step.plan.${deed}` : `step.done.${deed}`);
    case "completed":
      return t(`step.done.${deed}`);
  }
}

export type Tone = "fail" | "warn" | "quiet";

/** What stands at the end of the line. */
export function endOf(tool: ToolItem, t: Translate, format: Format): { text: string; tone: Tone } {
  const took = tool.durationMs === undefined ? undefined : format.duration(tool.durationMs);
  const exit = tool.exitCode === undefined ? undefined : t("step.exit", { code: tool.exitCode });
  const facts = [exit, took].filter((it) => it !== undefined).join(" · ");
  const word = t(`step.status.${tool.status}`);
  switch (tool.status) {
    case "completed":
      // An exit code alone is no verdict: a search that finds nothing ends with 1.
      return { text: facts === "" ? word : facts, tone: "quiet" };
    case "failed":
      return { text: failureText(tool, facts, word, t), tone: "fail" };
    case "rejected":
      if (tool.refusal !== undefined) return { text: t("refusal.title"), tone: "warn" };
      return { text: word, tone: "warn" };
    case "awaiting_permission":
    case "unknown":
    case "interrupted":
      return { text: word, tone: "warn" };
    case "running": {
      const text = tool.check === undefined ? word : t("checks.status.running");
      return { text, tone: "quiet" };
    }
    case "pending":
    case "cancelled":
      return { text: word, tone: "quiet" };
  }
}

function failureText({ failure }: ToolItem, facts: string, word: string, t: Translate): string {
  if (failure === undefined || failure.code === "exit_code") return facts === "" ? word : facts;
  return t(`failure.${failure.code}`);
}
