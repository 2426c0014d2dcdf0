// A path on one line: where there is no room it is shortened in the middle, never at its name.

import { Hidden } from "./Hidden.tsx";
import css from "./PathText.module.css";

/** A name up to this length stays whole; of a longer one the end stays. */
const WHOLE_NAME_CHARS = 28;
const KEPT_END_CHARS = 16;

export function PathText({ path }: { path: string }) {
  const [head, tail] = splitPath(path);
  const style = { "--tail": `${columns(tail)}ch` };
  return (
    <span className={css.path} style={style} title={path}>
      <Hidden>{path}</Hidden>
      {head !== "" && (
        <span className={css.head} aria-hidden="true">
          {head}
        </span>
      )}
      <span className={css.tail} aria-hidden="true">
        {tail}
      </span>
    </span>
  );
}

/** How wide the name is, in letters of one width; those of East Asia are two wide. */
function columns(name: string): number {
  return [...name].reduce((sum, it) => sum + (it > "\u1100" ? 2 : 1), 0);
}

/** Splits a path into what may be shortened and what must be seen: the name and its slash. */
export function splitPath(path: string): [head: string, tail: string] {
  const slash = Math.max(path.lastIndexOf("/"), 0);
  const characters = [...path.slice(slash)];
  if (characters.length <= WHOLE_NAME_CHARS + 1) return [path.slice(0, slash), path.slice(slash)];
  const tail = characters.slice(-KEPT_END_CHARS).join("");
  return [path.slice(0, path.length - tail.length), tail];
}
