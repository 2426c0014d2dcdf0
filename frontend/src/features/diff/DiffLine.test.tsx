// When a line asks for its colours.

import { expect, test } from "vitest";
import { useLocale } from "../../locale/index.ts";
import { renderIn } from "../forTests.tsx";
import { DiffLine } from "./DiffLine.tsx";
import { createDiffTokens, type DiffTokens } from "./diffTokens.ts";
import { parsePatch } from "./patch.ts";

const { rows } = parsePatch("@@ -1 +1 @@\n-a\n+b\n");

function Line({ tokens }: { tokens: DiffTokens }) {
  const { t } = useLocale();
  const row = rows[1];
  if (row === undefined || row.is === "hunk") return null;
  return <DiffLine {...{ row, index: 1, rows, tokens, t, showEnds: false }} />;
}

const painted = () =>
  new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))));

test("a line is painted before its colours are asked for; one that went asks for none", async () => {
  const asked: string[] = [];
  const tokens = createDiffTokens(rows, "rust", async (code) => {
    asked.push(code);
    return [];
  });
  renderIn(<Line tokens={tokens} />).unmount();
  await painted();
  expect(asked).toEqual([]);
  renderIn(<Line tokens={tokens} />);
  expect(asked).toEqual([]);
  await painted();
  expect(asked).toEqual(["a", "b"]);
});
