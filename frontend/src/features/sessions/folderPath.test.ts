// Which typed paths are sent to the host: those that do not depend on where it runs.

import { expect, test } from "vitest";
import { isWholePath } from "./folderPath.ts";

test.each(["/home/you", "~", "~/src", "C:\\src", "d:/src", "\\\\server\\share"])(
  "%s is whole",
  (path) => {
    expect(isWholePath(path)).toBe(true);
  },
);

test.each(["", "src", "./src", "../src", "~you", "C:src", "目录"])("%s is not", (path) => {
  expect(isWholePath(path)).toBe(false);
});
