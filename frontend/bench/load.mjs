// Measures the page under load: an answer of 16 KB that is streamed into with 200 deltas a second,
// a conversation of 5,000 messages that is scrolled through, a patch and a log of 2 MiB that are
// opened and closed, and files that are read in many pages.
//
//   npm run load

import { withPage } from "./browser.mjs";

const SECONDS = 20;
const DELTAS_A_SECOND = 200;
/** How often each is opened. */
const OPENINGS = 50;
/** What lies between two rows, and at both ends. */
const GAP_PX = 60;

let problems = 0;
await withPage(5181, async (open) => {
  await stream(open);
  await long(open);
  await openings(open, "patch", "View diff");
  await openings(open, "log", "View checks", "Output");
  await reads(open);
});
process.exitCode = problems === 0 ? 0 : 1;

function say(what, value, holds) {
  if (!holds) problems += 1;
  process.stdout.write(`${holds ? "ok" : "NOT OK"}  ${what}: ${value}\n`);
}

async function stream(open) {
  const { tab, close } = await open("load=stream");
  const cdp = await tab.context().newCDPSession(tab);
  await cdp.send("Performance.enable");
  const seconds = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    const by = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    return { busy: by.TaskDuration, at: by.Timestamp };
  };
  await tab.getByRole("textbox", { name: "Message" }).fill("Write much");
  await tab.keyboard.press("Enter");
  await tab.waitForTimeout(300);
  const before = await seconds();
  const streamed = tab.evaluate(streamInPage, [SECONDS, DELTAS_A_SECOND]);

  await tab.waitForTimeout(2000);
  await tab.evaluate(watchKeys);
  for (let at = 0; at < 30; at += 1) {
    await tab.keyboard.type("x");
    await tab.waitForTimeout(100);
  }
  const keys = (await tab.evaluate(() => window.keysMs)).sort((a, b) => a - b);
  const usual = keys[Math.floor(keys.length / 2)];
  const top = () => tab.evaluate(() => document.querySelector("[aria-label=Transcript]").scrollTop);
  await tab.mouse.move(700, 300);
  await tab.mouse.wheel(0, -400);
  await tab.waitForTimeout(300);
  const left = await top();
  await tab.waitForTimeout(3000);
  const stolen = (await top()) - left;
  const { deltas, behindPx } = await streamed;
  const after = await seconds();

  const share = (after.busy - before.busy) / (after.at - before.at);
  say("streaming, share of one core", share.toFixed(2), share <= 1);
  say("streaming, deltas", deltas, deltas >= SECONDS * DELTAS_A_SECOND * 0.9);
  say("streaming, most pixels behind the end", behindPx, behindPx <= 60);
  say("a key is on the screen after, usually (ms)", usual, usual <= 100);
  say("and at most (ms)", keys.at(-1), keys.at(-1) <= 500);
  say("pixels that the scroll was moved by itself", stolen, stolen === 0);
  await close();
}

/** Runs in the page: how long after each key the next frame was drawn. */
function watchKeys() {
  window.keysMs = [];
  addEventListener("keydown", ({ timeStamp }) => {
    requestAnimationFrame(() =>
      setTimeout(() => window.keysMs.push(Math.round(performance.now() - timeStamp))),
    );
  });
}

/** Runs in the page. */
async function streamInPage([seconds, each]) {
  const scroller = document.querySelector("[aria-label=Transcript]");
  const began = performance.now();
  let deltas = 0;
  let behindPx = 0;
  // What a frame shows is settled when the page's own observers of its sizes have run.
  const sizes = new ResizeObserver(() => {
    const { scrollHeight, scrollTop, clientHeight } = scroller;
    const isEarly = performance.now() - began < 4000;
    if (isEarly) behindPx = Math.max(behindPx, scrollHeight - scrollTop - clientHeight);
  });
  sizes.observe(scroller.firstElementChild);
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * each);
    for (; deltas < due; deltas += 1) if (!window.step("s_5")) return { deltas, behindPx };
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
  sizes.disconnect();
  return { deltas, behindPx: Math.round(behindPx) };
}

async function long(open) {
  const began = Date.now();
  const { tab, close } = await open("load=long");
  await tab.getByRole("heading", { name: "Turn 2,500" }).waitFor({ state: "attached" });
  say("5,000 messages, open after (ms)", Date.now() - began, Date.now() - began < 5000);
  await tab.mouse.move(700, 400);
  let blank = 0;
  let moments = 0;
  for (let at = 0; at < 150; at += 1) {
    // Back and forth, on the whole upwards.
    await tab.mouse.wheel(0, at % 25 < 17 ? -400 : 400);
    await tab.waitForTimeout(16);
    if ((await tab.evaluate(blankPixels)) > GAP_PX) moments += 1;
    await tab.waitForTimeout(50);
    blank = Math.max(blank, await tab.evaluate(blankPixels));
  }
  say(
    "most blank pixels between rows, after each of 150 turns of the wheel",
    blank,
    blank <= GAP_PX,
  );
  say("turns of the wheel that showed a gap for a frame", moments, moments <= 1);
  await close();
}

/** RS-7: at the end of the conversation no page moves a row; further up nothing of a read does. */
async function reads(open) {
  const { tab, close } = await open("load=reads");
  await tab.getByRole("textbox", { name: "Message" }).fill("Read the whole dump");
  await tab.keyboard.press("Enter");
  await tab.waitForTimeout(300);
  // The turn, a call from its start to its end, and the first page.
  await tab.evaluate(() => [1, 2, 3, 4].map(() => window.step("s_6")));
  await tab.getByRole("region", { name: "Reading of files" }).waitFor();
  await tab.waitForTimeout(300);
  const paged = await tab.evaluate(rowsMoved, 101);
  say("pages and a pause that moved a row, at the end", paged.moved, paged.moved === 0);
  await tab.mouse.move(700, 300);
  await tab.mouse.wheel(0, -600);
  await tab.waitForTimeout(300);
  const above = await tab.evaluate(rowsMoved, 51);
  say("reads beside them", paged.reads, paged.reads === 1);
  say("states of two more reads that moved a row, further up", above.moved, above.moved === 0);
  say("rows that were looked at", above.rows, paged.rows > 5 && above.rows > 5);
  say("reads beside them, then", above.reads, above.reads === 3);
  await close();
}

/** Runs in the page: plays frames, and counts those after which a row is elsewhere. */
async function rowsMoved(frames) {
  const places = () =>
    [...document.querySelectorAll("[aria-label=Transcript] [class*=_row_]")]
      .map((it) => it.getBoundingClientRect())
      .map(({ top, left, width, height }) => `${top} ${left} ${width} ${height}`);
  const first = places();
  let moved = 0;
  for (let at = 0; at < frames; at += 1) {
    window.step("s_6");
    // The page shows what came twelve times a second.
    await new Promise((done) => setTimeout(done, 100));
    if (places().join() !== first.join()) moved += 1;
  }
  const reads = document.querySelectorAll("[aria-label='Reading of files'] li").length;
  return { moved, rows: first.length, reads };
}

/** Opens what is large and closes it again. */
async function openings(open, what, ...buttons) {
  const { tab, close } = await open(`load=${what}`);
  await tab.getByRole("button", { name: buttons[0] }).waitFor();
  const cdp = await tab.context().newCDPSession(tab);
  const heapMb = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    return (await cdp.send("Runtime.getHeapUsage")).usedSize / (1 << 20);
  };
  const paints = [];
  let before = 0;
  for (let at = 0; at < OPENINGS; at += 1) {
    paints.push(await tab.evaluate(paintMs, buttons));
    // What is made once is there after the first few.
    if (at === 9) before = await heapMb();
  }
  const grown = (await heapMb()) - before;
  paints.sort((a, b) => a - b);
  const usual = paints[OPENINGS / 2];
  say(`a ${what} of 2 MiB is on the screen after, usually (ms)`, usual, usual <= 100);
  say("and at most (ms)", paints.at(-1), true);
  say(`MiB that ${OPENINGS - 10} more openings left behind`, grown.toFixed(2), grown <= 2);
  await close();
}

/** Runs in the page: presses the buttons, waits for the lines, and closes the panel. */
async function paintMs(buttons) {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const button = (name) =>
    [...document.querySelectorAll("button")].find((it) =>
      (it.ariaLabel ?? it.textContent).trim().startsWith(name),
    );
  const until = async (look) => {
    while (!look()) await frame();
    return look();
  };
  for (const name of buttons.slice(0, -1)) (await until(() => button(name))).click();
  const last = await until(() => button(buttons.at(-1)));
  const began = performance.now();
  last.click();
  await until(() => document.querySelector("aside [role=grid] [role=row]"));
  await frame();
  const took = Math.round(performance.now() - began);
  document.querySelector("aside [aria-label^='Hide details']").click();
  await until(() => document.querySelector("aside") === null);
  return took;
}

/** Runs in the page: the tallest part of the view that no row covers. */
function blankPixels() {
  const view = document.querySelector("[aria-label=Transcript]").getBoundingClientRect();
  const rows = [...document.querySelectorAll("[aria-label=Transcript] [class*=_row_]")]
    .map((it) => it.getBoundingClientRect())
    .filter((it) => it.bottom > view.top && it.top < view.bottom)
    .sort((a, b) => a.top - b.top);
  let covered = view.top;
  let blank = 0;
  for (const { top, bottom } of rows) {
    blank = Math.max(blank, top - covered);
    covered = Math.max(covered, bottom);
  }
  return Math.round(Math.max(blank, view.bottom - covered));
}
