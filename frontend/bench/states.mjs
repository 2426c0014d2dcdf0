// Opens every state of the fixture page in both themes, takes its picture, and looks for what
// axe-core finds, for words that are cut, and for a page that scrolls. Ends with 1 if anything is.
//
//   npm run states [-- NAME …] [--size 1024x700] [--language zh]
//
// The pictures go to target/screenshots/states.

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
const sizes = values.size ?? ["1280x820"];
const languages = values.language ?? [""];

let problems = 0;
let open;

await mkdir(pictures, { recursive: true });
await withPage(values.port, async (opened) => {
  open = opened;
  const names = positionals.length > 0 ? positionals : await stateNames();
  for (const size of sizes)
    for (const language of languages)
      for (const name of names)
        for (const theme of ["light", "dark"]) await look(name, theme, size, language);
});
process.stdout.write(`${problems} problems\n`);
process.exitCode = problems === 0 ? 0 : 1;

async function stateNames() {
  const { tab, close } = await open("scene=passed");
  const links = await tab
    .locator('nav a[href*="state="]')
    .evaluateAll((all) => all.map((it) => new URL(it.href).searchParams.get("state")));
  await close();
  return links;
}

async function look(name, theme, size, language) {
  const query = new URLSearchParams({ state: name, theme, ...(language && { language }) });
  const { tab, close } = await open(query, size);
  tab.on("pageerror", (error) => say(name, error.message));
  await settled(tab);
  const label = [name, theme, ...(size === "1280x820" ? [] : [size]), language]
    .filter((it) => it !== "")
    .join("-");
  await tab.screenshot({ path: `${pictures}/${label}.png` });
  for (const { id, nodes } of await violations(tab)) {
    for (const { html, failureSummary } of nodes.slice(0, 3)) {
      say(label, `${id}: ${html.slice(0, 160)} ${failureSummary.split("\n")[1] ?? ""}`);
    }
  }
  for (const it of await tab.evaluate(cut)) say(label, it);
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
  const found = await tab.evaluate((run) => window.axe.run(document, { runOnly: run }), tags);
  return found.violations;
}

/** Runs in the page: what is cut off, and whether the page itself scrolls. */
function cut() {
  const found = [];
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push("the page scrolls");
  for (const it of document.querySelectorAll("button, h1, h2, h3, h4, label, legend, th, dt, p")) {
    const style = getComputedStyle(it);
    const box = it.getBoundingClientRect();
    const isHidden = style.clipPath !== "none" || box.width <= 1;
    if (isHidden || it.closest("[title]") !== null) continue;
    if (style.overflowX !== "visible" && it.scrollWidth > it.clientWidth + 1) {
      found.push(`cut: ${it.textContent.slice(0, 60)}`);
    }
    if (box.width > 0 && (box.right > innerWidth + 1 || box.left < -1)) {
      found.push(`outside: ${it.textContent.slice(0, 60)}`);
    }
  }
  return found;
}

function say(where, what) {
  problems += 1;
  process.stdout.write(`${where}: ${what}\n`);
}
