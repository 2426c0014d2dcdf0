// What a test asks the page, in the words of a user of it: roles, names, what can be seen.

const squash = (text) => text.replace(/\s+/g, " ").trim();
const isSeen = (it) => it.checkVisibility({ visibilityProperty: true });

const heard = (it) => {
  const copy = it.cloneNode(true);
  for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
  return squash(copy.textContent);
};

const nameOf = (it) => {
  const own = it.getAttribute("aria-label");
  if (own !== null) return own;
  const by = it.getAttribute("aria-labelledby");
  if (by !== null) return squash(document.getElementById(by)?.textContent ?? "");
  const label = it.labels?.[0];
  return heard(label ?? it);
};

const selectors = {
  button: "button, [role=button]",
  dialog: "[role=dialog]",
  language: "footer button[title]:last-of-type",
  menuitemradio: "[role=menuitemradio]",
  option: "[role=option]",
  session: "nav li > button",
  radio: "input[type=radio]",
  tab: "[role=tab]",
  textbox: "textarea, input:not([type=radio])",
};

/** The one that is seen, named so and can be used; `*` stands for anything. */
const find = (role, name) => {
  const literal = (it) => it.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
  const pattern = new RegExp(`^${name.split("*").map(literal).join(".*")}$`);
  const fits = (it) => pattern.test(it);
  const all = [...document.querySelectorAll(selectors[role])];
  return all.find((it) => !it.disabled && (role === "radio" || isSeen(it)) && fits(nameOf(it))) ?? null;
};

const transcript = () => document.querySelector("section[aria-label=Transcript]");

const card = (turn) => {
  const number = turn.toLocaleString("en");
  const it = document.querySelector(`section[aria-label="Results of turn ${number}"]`);
  if (it === null) return null;
  const answers = [...transcript().querySelectorAll("article")];
  const files = [...it.querySelectorAll("ul[aria-label='Changed files'] li")].map((row) => ({
    path: row.querySelector("[title*='.'], [title*='/']")?.getAttribute("title") ?? "",
    text: heard(row),
  }));
  const bottom = Math.max(...answers.map((answer) => answer.getBoundingClientRect().bottom));
  return {
    id: it.id,
    text: squash(it.innerText),
    files,
    isBelowTheAnswer: answers.length > 0 && bottom <= it.getBoundingClientRect().top + 1,
  };
};

const diff = () => {
  const grid = document.querySelector("aside [role=grid]");
  if (grid === null) return null;
  const texts = (tag) => [...grid.querySelectorAll(tag)].map((it) => it.textContent);
  return { label: nameOf(grid), added: texts("ins"), removed: texts("del") };
};

/** The pictures of the panel, once all are drawn: what each is called, its width and its height. */
const pictures = () => {
  const all = [...document.querySelectorAll("aside figure img")];
  const isDrawn = (it) => it.complete && it.naturalWidth > 0;
  return all.every(isDrawn) ? all.map((it) => [it.alt, it.naturalWidth, it.naturalHeight]) : null;
};

/** The row that the list with the focus says is active, once it is selected and in view. */
const activeRow = () => {
  const list = document.activeElement;
  const row = document.getElementById(list?.getAttribute("aria-activedescendant") ?? "");
  if (row === null || !list.contains(row) || row.ariaSelected !== "true") return null;
  const [view, box] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (box.bottom <= view.top || box.top >= view.bottom) return null;
  const number = row.ariaRowIndex ?? row.ariaPosInSet;
  return { number: Number(number), text: heard(row) };
};

/** Waits until so many frames were painted, and what they asked for is done. */
const frames = async (count) => {
  for (let left = count; left > 0; left -= 1) {
    await new Promise((next) => requestAnimationFrame(next));
  }
  await new Promise((next) => setTimeout(next));
};

/** The height of the widest place in view that no row covers. */
const widestGap = () => {
  const view = transcript().getBoundingClientRect();
  const boxes = [...transcript().querySelectorAll("article, button, h3 + div, p, section")]
    .filter(isSeen)
    .map((it) => it.getBoundingClientRect())
    .filter((it) => it.height > 0 && it.bottom > view.top && it.top < view.bottom)
    .sort((a, b) => a.top - b.top);
  let [covered, widest] = [view.top, 0];
  for (const box of boxes) {
    widest = Math.max(widest, box.top - covered);
    covered = Math.max(covered, box.bottom);
  }
  return Math.max(widest, view.bottom - covered);
};

/** More than any distance between two rows that belong together. */
const BLANK_PX = 90;

/** What a frame shows, in words for whoever reads of a failure. */
const told = () => {
  const it = transcript();
  const view = it.getBoundingClientRect();
  const rows = [...it.querySelectorAll("article, h3 + div")].map((row) => row.getBoundingClientRect());
  const from = Math.round(Math.min(...rows.map((row) => row.top - view.top)));
  const to = Math.round(Math.max(...rows.map((row) => row.bottom - view.top)));
  return [
    `${Math.round(performance.now())} ms: a gap of ${Math.round(widestGap())} px`,
    `${Math.round(it.scrollTop)} of ${it.scrollHeight} px, the view has ${it.clientHeight}`,
    `${rows.length} texts from ${from} to ${to} px of it`,
  ].join("; ");
};

/** The widest gap once the view rests, whether it was blank before that, and what each frame showed. */
const settled = async () => {
  await frames(2);
  const seen = [told()];
  const flashed = widestGap() > BLANK_PX;
  for (let left = 8; left > 0 && widestGap() > BLANK_PX; left -= 1) {
    await frames(1);
    seen.push(told());
  }
  return { gap: widestGap(), flashed, seen };
};

/** Says to the page, as the wheel does, that who moves the view now leaves its end. */
const leaveEnd = () => {
  transcript().dispatchEvent(new WheelEvent("wheel", { deltaY: -1, bubbles: true }));
};

/** Scrolls up view by view, as far as there is something. */
const scrollUp = async (views) => {
  const it = transcript();
  leaveEnd();
  const went = { steps: 0, gap: 0, flashes: 0, seen: [], isAtStart: false };
  while (went.steps < views && !went.isAtStart) {
    const before = it.scrollTop;
    it.scrollTop = before - it.clientHeight * 0.9;
    const { gap, flashed, seen } = await settled();
    went.steps += 1;
    if (gap > went.gap) Object.assign(went, { gap, seen });
    went.flashes += flashed ? 1 : 0;
    went.isAtStart = before === 0 && it.scrollTop === 0 && it.innerText.includes("Prompt 0.");
  }
  return went;
};

/** Goes to a part of the height, from 0 to 1. */
const jump = async (part) => {
  const it = transcript();
  leaveEnd();
  it.scrollTop = part * it.scrollHeight;
  return (await settled()).gap;
};

/** How far the end of the conversation is below the view. */
const belowPx = () => {
  const { scrollHeight, scrollTop, clientHeight } = transcript();
  return scrollHeight - scrollTop - clientHeight;
};

/** Looks at each frame from now on how near the end is; `window.nearestPx` says the least. */
const watchEnd = () => {
  window.nearestPx = belowPx();
  const look = () => {
    window.nearestPx = Math.min(window.nearestPx, belowPx());
    window.watching = requestAnimationFrame(look);
  };
  cancelAnimationFrame(window.watching);
  look();
};

/** Where the bar at the side of the conversation is taken, when the view is at the end. */
const barEnd = () => {
  const box = transcript().getBoundingClientRect();
  return { x: Math.floor(box.right) - 4, y: Math.floor(box.bottom) - 14 };
};

/** Presses the buttons, and answers how long after the last the lines of a list were painted. Then it closes the panel. */
const openAndClose = async (names) => {
  const until = async (look) => {
    let it = look();
    for (; it === null; it = look()) await frames(1);
    return it;
  };
  let began = 0;
  for (const name of names) {
    const button = await until(() => find("button", name));
    began = performance.now();
    button.click();
  }
  await until(() => document.querySelector("aside [role=grid] [role=row]"));
  await frames(1);
  const tookMs = performance.now() - began;
  (await until(() => find("button", "Hide details*"))).click();
  await until(() => (document.querySelector("aside") === null ? true : null));
  return tookMs;
};
