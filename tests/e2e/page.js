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
  session: "nav li button",
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
  const it = document.querySelector(`section[aria-label="Results of turn ${turn}"]`);
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
