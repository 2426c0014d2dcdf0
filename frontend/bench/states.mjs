// Opens every state of the fixture page in both themes and takes its picture; then one state in the
// theme of the system, and every scene of the card with the panel as narrow as it gets. Looks in
// each for what axe-core finds, for words that are cut, and for a page that scrolls. Ends with 1 if
// anything is.
//
//   npm run states [-- NAME …] [--size 1024x700] [--language zh]
//
// Without a size: the usual window, and the smallest one in each language. With names only these
// states and scenes. The pictures go to target/screenshots/states.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import axe from "axe-core";
import { withPage } from "./browser.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: "string", multiple: true },
    language: { type: "string", multiple: true },
    port: { type: "string", default: "5180" },
  },
});
const pictures = fileURLToPath(new URL("../../target/screenshots/states", import.meta.url));
const views =
  values.size === undefined && values.language === undefined
    ? [["1280x820", ""], ...["", "zh", "zh-TW"].map((language) => ["1024x700", language])]
    : (values.size ?? ["1280x820"]).flatMap((size) =>
        (values.language ?? [""]).map((language) => [size, language]),
      );
const themes = ["light", "dark"];
/** Of the panel: as narrow as it gets, and as narrow as its facts stand beside a name. */
const widths = ["280", "410"];

let problems = 0;
let open;

await mkdir(pictures, { recursive: true });
await withPage(values.port, async (opened) => {
  open = opened;
  const isAsked = (name) => positionals.length === 0 || positionals.includes(name);
  const names = (await namesOf("state")).filter(isAsked);
  await warmUp();
  for (const [size, language] of views)
    for (const state of names)
      for (const theme of themes) await look({ state, theme, size, language });
  for (const state of names.slice(0, 1))
    for (const scheme of themes) await look({ state, theme: "system", scheme });
  for (const scene of (await namesOf("scene")).filter(isAsked))
    for (const theme of themes)
      for (const width of widths)
        for (const tab of ["diff", "checks"]) await look({ scene, theme, width, tab });
});
process.stdout.write(`${problems} problems\n`);
process.exitCode = problems === 0 ? 0 : 1;

/** The names that the page links to. */
async function namesOf(kind) {
  const { tab, close } = await open("recording=edit_and_check");
  const links = await tab
    .locator(`nav a[href*="${kind}="]`)
    .evaluateAll((all, of) => all.map((it) => new URL(it.href).searchParams.get(of)), kind);
  await close();
  return links;
}

/** Whole windows are taken a picture of. */
async function look({ size = "1280x820", scheme, ...asked }) {
  const query = Object.entries(asked).filter(([, it]) => it);
  const { tab, close } = await open(new URLSearchParams(query), size, scheme);
  const label = [...query.map(([, it]) => it), scheme, size === "1280x820" ? undefined : size]
    .filter((it) => it !== undefined)
    .join("-");
  tab.on("pageerror", (error) => say(label, error.message));
  await settled(tab);
  if (asked.state !== undefined) await tab.screenshot({ path: `${pictures}/${label}.png` });
  for (const { id, nodes } of await violations(tab)) {
    for (const { html, failureSummary } of nodes.slice(0, 3)) {
      say(label, `${id}: ${html.slice(0, 160)} ${failureSummary.split("\n")[1] ?? ""}`);
    }
  }
  for (const it of await tab.evaluate(cut, asked.state !== undefined)) say(label, it);
  await close();
}

/** The first page waits for what the server makes on demand, and would be shown half done. */
async function warmUp() {
  const { tab, close } = await open("state=mock");
  await tab.waitForLoadState("networkidle");
  await settled(tab);
  await close();
}

/** Until nothing has changed on the page for a while: the highlighter answers late. */
async function settled(tab) {
  await tab.evaluate(
    () =>
      new Promise((resolve) => {
        let timer = setTimeout(resolve, 400);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 400);
        }).observe(document, { subtree: true, childList: true, attributes: true });
      }),
  );
}

async function violations(tab) {
  await tab.evaluate(axe.source);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  // The links to the other scenes are no part of the window.
  const audit = (run) => window.axe.run({ exclude: [["[data-choices]"]] }, { runOnly: run });
  const found = await tab.evaluate(audit, tags);
  return found.violations;
}

/**
 * Runs in the page: what is cut off, what stands on two lines where there is one, and whether the
 * window itself scrolls. What a title says whole, and what can be scrolled to, may be cut.
 */
function cut(isWindow) {
  const found = [];
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (isWindow && (scrollWidth > innerWidth || scrollHeight > innerHeight)) {
    found.push("the page scrolls");
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const owner = text.parentElement;
    if (
      text.data.trim() === "" ||
      owner.closest("[title], [data-choices], script, style") !== null
    ) {
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width === 0 || getComputedStyle(owner).visibility === "hidden") continue;
    const what = text.data.trim().slice(0, 60);
    let isLeft = false;
    for (let it = owner; it !== null; it = it.parentElement) {
      const style = getComputedStyle(it);
      const clip = it.getBoundingClientRect();
      const canScroll = /auto|scroll/.test(style.overflowX + style.overflowY);
      // What only an assistive program reads has no room at all.
      isLeft = canScroll || style.clipPath !== "none" || clip.width <= 1;
      if (isLeft) break;
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      // A way past the lists comes into view when it has the focus.
      if (box.bottom <= clip.top) break;
      if (box.right > clip.right + 1 || box.left < clip.left - 1) found.push(`cut: ${what}`);
      if (box.bottom > clip.bottom + 2 || box.top < clip.top - 2) found.push(`sliced: ${what}`);
      break;
    }
    if (!isLeft && (box.right > innerWidth + 1 || box.left < -1)) found.push(`outside: ${what}`);
  }
  for (const bar of document.querySelectorAll("header, footer, [role=toolbar], [data-one-line]")) {
    const boxes = [...bar.children].map((it) => it.getBoundingClientRect());
    const middles = boxes.filter((it) => it.width > 1).map((it) => it.top + it.height / 2);
    if (Math.max(...middles) - Math.min(...middles) > 10) {
      found.push(`on two lines: ${bar.textContent.slice(0, 60)}`);
    }
  }
  return found;
}

function say(where, what) {
  problems += 1;
  process.stdout.write(`${where}: ${what}\n`);
}
