// The window over recorded sessions: a first run, a turn from its prompt to its card, a question,
// a stop, two sessions, and all of it by keyboard.

import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import {
  listened,
  message,
  openWindow,
  preferences as remembered,
} from "./app/tests/openWindow.tsx";
import { asked, nobody, providers, scene } from "./app/tests/scenes.ts";
import { type Backend, BackendError } from "./backend/backend.ts";
import { type Recorded, replay } from "./backend/replay.ts";
import type { SessionEvent, ToolDetail } from "./bindings.ts";
import { recorded } from "./state/tests/recorded.ts";

// The whole window in a page without layout is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const NOW = 1_700_000_000;
const SESSION = "s_0000000000000007";
const OTHER = "s_0000000000000008";
const WORKSPACE = "/home/you/ledger";

/** A session that holds turns, and plays those from `playedFrom` on. */
function session(events: readonly SessionEvent[], playedFrom?: number): Recorded {
  return { workspace: WORKSPACE, events, ...(playedFrom === undefined ? {} : { playedFrom }) };
}

/** The same session under another name. */
const renamed = (events: readonly SessionEvent[], to: string) =>
  events.map((event) => ({ ...event, session: to }));

function play(recordings: readonly Recorded[], more: Partial<Backend> = {}) {
  const played = replay(recordings);
  const { backend, calls } = listened({
    ...played.backend,
    settings: async () => providers,
    ...more,
  });
  const called = (name: keyof Backend) =>
    calls.filter((it) => it.name === name).map((it) => it.args);
  return { backend, called, step: played.step };
}

/** Puts a text into the message field, all at once. */
async function write(user: UserEvent, text: string) {
  await user.click(message());
  await user.paste(text);
}

/** Plays frames until there are none, or as many as are asked for. */
async function steps(step: (session: string) => boolean, of: string, most = 1000) {
  await act(async () => {
    for (let done = 0; done < most && step(of); done += 1);
  });
}

test("a first run asks for a folder, then for a provider, and then opens the session", async () => {
  const opened = session(recorded("edit_and_check"), 0);
  let chosen = nobody;
  const { backend, called } = play([opened], {
    listSessions: async () => [],
    settings: async () => chosen,
    chooseFolder: async () => WORKSPACE,
    saveProvider: async () => {
      chosen = providers;
      return chosen;
    },
    saveKey: async () => "keychain",
    newSession: async () => ({ session: SESSION, last: 0 }),
  });
  const user = openWindow(backend);
  expect(
    await screen.findByText(
      "The model reads and writes only there. A command that you allow can go further.",
    ),
  ).toBeVisible();
  const main = screen.getByRole("main");
  await waitFor(() =>
    expect(within(main).getByRole("button", { name: "Open folder" })).toHaveFocus(),
  );

  await user.keyboard("{Enter}");
  const form = await screen.findByRole("form", { name: "Provider" });
  await user.click(within(form).getByLabelText("Key"));
  await user.paste("sk-test");
  await user.click(within(form).getByRole("button", { name: "Use this provider" }));

  expect(await screen.findByText("What should change?")).toBeVisible();
  expect(called("saveKey")).toEqual([["deepseek", "sk-test"]]);
  expect(called("newSession")).toEqual([[WORKSPACE, { addDirs: [], preset: "workspace-write" }]]);
  await waitFor(() => expect(message()).toHaveFocus());
});

test("a folder is opened by its path, and what is no folder is said beside the field", async () => {
  const opened = session(recorded("edit_and_check"), 0);
  const { backend, called } = play([opened], {
    listSessions: async () => [],
    newSession: async (folder) => {
      if (folder === WORKSPACE) return { session: SESSION, last: 0 };
      throw new BackendError({ kind: "bad_request", message: `${folder} is not a folder` });
    },
  });
  const user = openWindow(backend);
  const field = await screen.findByRole("textbox", { name: "Folder path" });
  await user.type(field, "src{Enter}");
  expect(screen.getByRole("alert")).toHaveTextContent("Type the whole path");
  expect(called("newSession")).toEqual([]);
  await user.clear(field);
  await user.type(field, "/nowhere{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("/nowhere is not a folder");
  expect(field).toHaveAccessibleDescription(/is not a folder/);
  expect(field).toBeInvalid();

  await user.clear(field);
  await user.type(field, `${WORKSPACE} `);
  await user.click(screen.getByRole("button", { name: "Open" }));
  expect(await screen.findByText("What should change?")).toBeVisible();
  expect(called("chooseFolder")).toEqual([]);
});

test("Ctrl+O asks for a path, and offers the system's dialog", async () => {
  const { backend, called } = play([session(recorded("edit_and_check"))], {
    chooseFolder: async () => null,
    newSession: async () => ({ session: SESSION, last: 0 }),
  });
  const user = openWindow(backend);
  await screen.findByText("Done.");
  await user.keyboard("{Control>}o{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Open folder" });
  await waitFor(() =>
    expect(within(dialog).getByRole("textbox", { name: "Folder path" })).toHaveFocus(),
  );
  await user.keyboard("/srv/other{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(called("newSession").map(([folder]) => folder)).toEqual(["/srv/other"]);

  await user.keyboard("{Control>}o{/Control}");
  await user.click(await screen.findByRole("button", { name: "Choose…" }));
  expect(called("chooseFolder")).toEqual([[]]);
});

test("the demo's prompts come with the open session, and the first click on one sends it", async () => {
  const played = session(recorded("edit_and_check"), 0);
  const { backend: whole } = replay([played]);
  const opening: (() => void)[] = [];
  const { backend, called } = play([played], {
    listSessions: async () => [],
    history: async (...asked) => {
      await new Promise<void>((resolve) => opening.push(resolve));
      return whole.history(...asked);
    },
    startDemo: async () => ({
      session: SESSION,
      last: 0,
      workspace: WORKSPACE,
      prompts: ["Make it a number."],
    }),
  });
  const user = openWindow(backend);
  await user.click(await screen.findByRole("button", { name: "Try the demo" }));
  await screen.findByText("Demo: scripted replies, real tools");
  expect(screen.queryByRole("button", { name: "Make it a number." })).toBeNull();
  await act(async () => {
    for (const answer of opening) answer();
  });
  await user.click(await screen.findByRole("button", { name: "Make it a number." }));
  expect(called("prompt")).toEqual([[SESSION, "Make it a number."]]);
});

test("the demo says what it is, and offers its prompts", async () => {
  const { backend, called, step } = play([session(recorded("edit_and_check"), 0)], {
    listSessions: async () => [],
    startDemo: async () => ({
      session: SESSION,
      last: 0,
      workspace: WORKSPACE,
      prompts: ["Make it a number.", "Say that it is done."],
    }),
  });
  const user = openWindow(backend);
  await user.click(await screen.findByRole("button", { name: "Try the demo" }));
  expect(await screen.findByText("Demo: scripted replies, real tools")).toBeVisible();
  await user.click(await screen.findByRole("button", { name: "Make it a number." }));
  expect(called("prompt")).toEqual([[SESSION, "Make it a number."]]);
  await steps(step, SESSION);
  expect(screen.queryByRole("button", { name: "Make it a number." })).toBeNull();
  expect(await screen.findByRole("button", { name: "Say that it is done." })).toBeVisible();
});

test("a message is sent, streamed, and answered with a card", async () => {
  const { backend, called, step } = play([session(recorded("edit_and_check"), 0)]);
  const user = openWindow(backend);
  await screen.findByText("What should change?");
  await write(user, "Make it a number.");
  await user.keyboard("{Shift>}{Enter}{/Shift}Now.");
  expect(message()).toHaveValue("Make it a number.\nNow.");
  await user.keyboard("{Enter}");
  expect(called("prompt")).toEqual([[SESSION, "Make it a number.\nNow."]]);
  expect(message()).toHaveValue("");

  await steps(step, SESSION, 2);
  const transcript = screen.getByRole("region", { name: "Transcript" });
  expect(await within(transcript).findByText("I look first")).toBeVisible();
  expect(screen.getByRole("button", { name: /Stop/ })).toBeVisible();

  await steps(step, SESSION);
  expect(await screen.findByRole("region", { name: "Results of turn 1" })).toBeVisible();
  expect(within(transcript).getByText("Done.")).toBeVisible();
  const ran = within(transcript).getByRole("button", { name: /Ran cat a.txt exit 0/ });
  await user.click(ran);
  expect(await within(transcript).findByText(/\[exit code 0\]/)).toBeVisible();
  expect(screen.getByText("Turn finished: 1 file changed, 1 passed")).toBeInTheDocument();
});

test("what the provider did not say is unknown, not zero", async () => {
  const { backend } = play([session(recorded("refused_and_failed"))]);
  openWindow(backend);
  expect(await screen.findByText("ctx unknown")).toBeVisible();
  expect(screen.getByText("cache unknown")).toBeVisible();
  expect(screen.getByText("usage unknown · this turn")).toBeVisible();
});

test("PM-4: a question shows the exact command, and is answered by a key", async () => {
  const { backend } = scene("asking", NOW);
  const told = listened(backend);
  const user = openWindow(told.backend);
  const allow = await screen.findByRole("button", { name: "Allow once" });
  await waitFor(() => expect(allow).toHaveFocus());
  const card = screen.getByRole("region", { name: "Run this command?" });
  expect(within(card).getByText("U+202E")).toBeVisible();
  expect(within(card).getByText(/not known to only read/)).toBeVisible();

  await user.keyboard("{ArrowRight}");
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Allow for this session" })).toHaveFocus(),
  );
  await user.keyboard("2");
  await user.keyboard("1");
  const answers = () => told.calls.filter((it) => it.name === "answer").map((it) => it.args);
  expect(answers()).toEqual([["s_4", "p1", "allow_session"]]);
});

test("Esc denies a question, wherever the focus is", async () => {
  const { backend } = scene("asking", NOW);
  const told = listened(backend);
  const user = openWindow(told.backend);
  await screen.findByRole("button", { name: "Allow once" });
  await user.click(message());
  await user.keyboard("{Escape}");
  const answers = told.calls.filter((it) => it.name === "answer").map((it) => it.args);
  expect(answers).toEqual([["s_4", "p1", "deny"]]);
});

test("AX-3: a question takes no focus from who writes, and no key of theirs answers it", async () => {
  const { backend, called, step } = play([session(asked("s_4", NOW), 0)]);
  const user = openWindow(backend);
  await screen.findByText("What should change?");
  await write(user, "Add vitest");
  await user.keyboard("{Enter}");
  await write(user, "and then");
  await steps(step, "s_4");
  expect(await screen.findByRole("button", { name: "Allow once" })).toBeVisible();
  await waitFor(() => expect(message()).toHaveFocus());
  await user.keyboard(" 1 2 3");
  expect(message()).toHaveValue("and then 1 2 3");
  expect(called("answer")).toEqual([]);
});

test("Esc stops the turn, and what was sent comes back if nothing was answered", async () => {
  const [started, ...rest] = recorded("edit_and_check");
  const end = rest.at(-1);
  if (started === undefined || end?.kind.type !== "turn_done") throw new Error("no turn");
  const stopped = { ...end, kind: { ...end.kind, outcome: { is: "interrupted" } } } as const;
  const { backend, called, step } = play([session([started, stopped], 0)]);
  const user = openWindow(backend);
  await screen.findByText("What should change?");
  await write(user, "Make it a number.");
  await user.keyboard("{Enter}");
  await steps(step, SESSION, 1);
  expect(await screen.findByText("Waiting for the model")).toBeVisible();
  await user.keyboard("{Escape}");
  expect(called("interrupt")).toEqual([[SESSION]]);
  await steps(step, SESSION);
  expect(await screen.findByText("Stopped")).toBeVisible();
  await waitFor(() => expect(message()).toHaveValue("Make it a number."));
});

test("UI-9: details that arrive after the switch to another session are not shown", async () => {
  const first = session(recorded("edit_and_check"), 0);
  const other = session(renamed(recorded("refused_and_failed"), OTHER));
  const late: ((detail: ToolDetail) => void)[] = [];
  const { backend } = play([first, other], {
    toolDetail: () => new Promise((resolve) => late.push(resolve)),
  });
  const user = openWindow(backend);
  const sidebar = screen.getByRole("navigation", { name: "Sessions" });
  await user.click(await within(sidebar).findByRole("button", { name: /^Try\./ }));
  await user.click(await screen.findByRole("button", { name: /^Ran echo/ }));

  await user.click(within(sidebar).getByRole("button", { name: /New session .*no turn yet/ }));
  await screen.findByText("What should change?");
  await act(async () => {
    for (const answer of late) answer({ call: "call00002", tool: "bash", arguments: "late reply" });
  });
  expect(late).not.toHaveLength(0);
  expect(screen.queryByText("late reply")).toBeNull();
});

test("UI-9: a turn goes on in its own session while another is on the screen", async () => {
  const first = session(recorded("edit_and_check"), 0);
  const other = session(renamed(recorded("refused_and_failed"), OTHER));
  const { backend, step } = play([first, other]);
  const user = openWindow(backend);
  const sidebar = screen.getByRole("navigation", { name: "Sessions" });
  await user.click(
    await within(sidebar).findByRole("button", { name: /New session .*no turn yet/ }),
  );
  await screen.findByText("What should change?");
  await write(user, "Make it a number.");
  await user.keyboard("{Enter}");
  await steps(step, SESSION, 3);
  await write(user, "the draft of the first");
  await user.click(within(sidebar).getByRole("button", { name: /^Try\./ }));
  expect(message()).toHaveValue("");
  await steps(step, SESSION);
  expect(screen.queryByText("Done.")).toBeNull();
  expect(screen.getByRole("heading", { name: "Turn 2" })).toBeVisible();

  const finished = await within(sidebar).findByRole("button", { name: /not seen yet.*line added/ });
  await user.click(finished);
  expect(await screen.findByText("Done.")).toBeVisible();
  expect(message()).toHaveValue("the draft of the first");
  await user.click(within(sidebar).getByRole("button", { name: /^Try\./ }));
  expect(within(sidebar).queryByRole("button", { name: /not seen yet/ })).toBeNull();
});

test("every door of the window opens by keyboard, and Esc closes it again", async () => {
  const { backend } = scene("mock", NOW);
  const user = openWindow(backend);
  await screen.findByRole("region", { name: "Results of turn 2" });

  await user.keyboard("{Control>}k{/Control}");
  expect(await screen.findByRole("dialog", { name: "Commands" })).toBeVisible();
  const commands = await screen.findByRole("combobox", { name: "Commands" });
  await waitFor(() => expect(commands).toHaveFocus());
  await user.keyboard("theme{Enter}dark{Enter}");
  expect(document.documentElement.dataset.theme).toBe("dark");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

  await user.keyboard("{Control>},{/Control}");
  const settings = await screen.findByRole("dialog", { name: "Settings" });
  expect(within(settings).getByLabelText("Model")).toHaveValue("deepseek-v4-pro");
  expect(within(settings).getByText("The key is kept in the system keychain.")).toBeVisible();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

  await user.keyboard("{Control>}b{/Control}");
  expect(screen.queryByRole("navigation", { name: "Sessions" })).toBeNull();
  await user.keyboard("{Control>}b{/Control}");
  await user.keyboard("{Control>}[Digit2]{/Control}");
  expect(await screen.findByRole("heading", { name: "Port the CSV importer" })).toBeVisible();

  screen.getByRole("region", { name: "Transcript" }).focus();
  await user.keyboard("?");
  expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("each provider of a long list is reached and set up by keyboard", async () => {
  const { backend } = scene("mock", NOW);
  const told = listened({ ...backend, saveProvider: async () => providers });
  const user = openWindow(told.backend);
  await screen.findByRole("region", { name: "Results of turn 2" });
  await user.keyboard("{Control>},{/Control}");
  const list = await screen.findByRole("radiogroup", { name: "Provider" });
  const inUse = within(list).getByRole("radio", { name: "DeepSeek" });
  await waitFor(() => expect(inUse).toHaveFocus());
  expect(inUse).toHaveAccessibleDescription(/^has a key\.\s*in use\.$/);
  expect(within(list).getAllByRole("radio")).toHaveLength(14);

  const form = screen.getByRole("form", { name: "Provider" });
  await user.keyboard("{ArrowUp}");
  expect(within(list).getByRole("radio", { name: "Custom" })).toBeChecked();
  expect(within(form).getByLabelText("Key")).toBeVisible();
  await user.keyboard("{ArrowUp}");
  expect(within(list).getByRole("radio", { name: "LM Studio" })).toBeChecked();
  expect(within(form).queryByLabelText("Key")).toBeNull();
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(within(list).getByRole("radio", { name: "OpenAI" })).toBeChecked();
  expect(within(form).getByLabelText("Model")).toHaveValue("gpt-5.6-sol");
  await user.tab();
  expect(within(form).getByLabelText("Key")).toHaveFocus();
  await user.keyboard("{Tab}{Enter}");
  const saved = told.calls.filter((it) => it.name === "saveProvider").map((it) => it.args[0]);
  expect(saved).toEqual([
    { provider: "openai", model: "gpt-5.6-sol", baseUrl: "https://api.openai.com/v1" },
  ]);
});

test("UI-33, CF-3: a model is chosen after a slash, and the cost is said before", async () => {
  const { backend } = scene("mock", NOW);
  const told = listened({ ...backend, setModel: async () => providers });
  const user = openWindow(told.backend);
  await screen.findByRole("region", { name: "Results of turn 2" });
  await user.type(message(), "/mod{Enter}");
  expect(screen.getByText(/starts with an empty cache/)).toBeVisible();
  await user.keyboard("{ArrowDown}{Enter}");
  const chosen = told.calls.filter((it) => it.name === "setModel").map((it) => it.args);
  expect(chosen).toEqual([["deepseek-v4-flash"]]);
  expect(message()).toHaveValue("");
});

test("a composition is not sent by the Enter that ends it", async () => {
  const { backend, called } = play([session(recorded("edit_and_check"), 0)]);
  const user = openWindow(backend);
  await screen.findByText("What should change?");
  await write(user, "改成数字");
  fireEvent.keyDown(message(), { key: "Enter", isComposing: true });
  fireEvent.keyDown(message(), { key: "Enter", keyCode: 229 });
  expect(called("prompt")).toEqual([]);
  await user.keyboard("{Enter}");
  expect(called("prompt")).toEqual([[SESSION, "改成数字"]]);
});

test("SM-4, SM-5: a session that another process writes is read, and says so before one types", async () => {
  const { backend } = play([session(recorded("edit_and_check"))], {
    openSession: async () => {
      throw new BackendError({ kind: "session_busy", message: "evident, process 7, has it" });
    },
  });
  const user = openWindow(backend);
  expect(await screen.findByText("Done.")).toBeVisible();
  expect(screen.getByText(/Another process writes this session.*process 7/)).toBeVisible();
  await write(user, "More.");
  expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
});

test("what cannot be loaded says so and can be tried again", async () => {
  let isDown = true;
  const { backend: whole } = replay([session(recorded("edit_and_check"))]);
  const fails = async (): Promise<never> => {
    throw new BackendError({ kind: "internal", message: "the disk is gone" });
  };
  const { backend } = play([session(recorded("edit_and_check"))], {
    listSessions: () => (isDown ? fails() : whole.listSessions()),
    history: (...asked) => (isDown ? fails() : whole.history(...asked)),
  });
  const user = openWindow(backend);
  expect(await screen.findByText("The sessions could not be listed")).toBeVisible();
  expect(screen.getByText(/the disk is gone/)).toBeVisible();
  isDown = false;
  await user.click(screen.getByRole("button", { name: "Load again" }));
  expect(await screen.findByText("Done.")).toBeVisible();
});

test("LC-1: the window speaks the chosen language at once", async () => {
  const { backend } = scene("mock", NOW);
  const user = openWindow(backend);
  await screen.findByRole("region", { name: "Results of turn 2" });
  await user.click(screen.getByRole("button", { name: "en" }));
  await user.click(await screen.findByRole("menuitemradio", { name: "简体中文" }));
  expect(await screen.findByRole("button", { name: "发送" })).toBeVisible();
  expect(document.documentElement.lang).toBe("zh-Hans-CN");
});

test("PM-1: Shift+Tab goes through the presets, from the next turn on", async () => {
  const { backend, called } = play([session(recorded("edit_and_check"))]);
  const user = openWindow(backend);
  await screen.findByText("Done.");
  expect(screen.getByRole("button", { name: "Full access" })).toBeVisible();
  await user.click(message());
  await user.keyboard("{Shift>}{Tab}{/Shift}");
  expect(await screen.findByRole("button", { name: "Ask before all changes" })).toBeVisible();
  expect(called("setPreset")).toEqual([[SESSION, "read-only"]]);
  expect(message()).toHaveFocus();
  // AX-3: it is no trap; after Esc the key leads back, as everywhere else.
  await user.keyboard("{Escape}{Shift>}{Tab}{/Shift}");
  expect(message()).not.toHaveFocus();
  expect(called("setPreset")).toHaveLength(1);
});

test("PM-1: a preset that is chosen while the session opens is shown, and taken once it is open", async () => {
  let open = () => {};
  const opening = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { backend, called } = play([session(recorded("edit_and_check"), 0)], {
    openSession: async (of) => {
      await opening;
      return { session: of, last: 0 };
    },
  });
  const user = openWindow(backend);
  await user.click(await screen.findByRole("textbox", { name: "Message" }));
  await user.keyboard("{Shift>}{Tab}{Tab}{/Shift}");
  expect(await screen.findByRole("button", { name: "Ask before all changes" })).toBeVisible();
  expect(called("setPreset")).toEqual([]);
  await act(async () => open());
  await waitFor(() => expect(called("setPreset")).toEqual([[SESSION, "read-only"]]));
  expect(screen.getByRole("button", { name: "Ask before all changes" })).toBeVisible();
});

test("the arrow keys bring back what was asked before, and then what one wrote", async () => {
  const { backend } = play([session(recorded("refused_and_failed"))]);
  const user = openWindow(backend);
  await screen.findByText("ctx unknown");
  await write(user, "mine");
  await user.keyboard("{ArrowUp}");
  const asked = recorded("refused_and_failed").flatMap(({ kind }) =>
    kind.type === "turn_started" ? kind.prompt.text : [],
  );
  expect(message()).toHaveValue(asked.at(-1));
  await user.keyboard("{ArrowUp}");
  expect(message()).toHaveValue(asked.at(-2));
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(message()).toHaveValue("mine");
});

test("Ctrl+Tab leads to the session before, and through the others", async () => {
  const { backend } = scene("mock", NOW);
  const user = openWindow(backend);
  await screen.findByRole("heading", { level: 2, name: "Where is the token checked?" });
  await user.keyboard("{Control>}[Digit2]{/Control}");
  await screen.findByRole("heading", { level: 2, name: "Port the CSV importer" });
  await user.keyboard("{Control>}{Tab}{/Control}");
  const line = await screen.findByRole("combobox", { name: "Go to a session" });
  await waitFor(() => expect(line).toHaveFocus());
  expect(screen.getByRole("option", { selected: true })).toHaveTextContent("Where is the token");
  await user.keyboard("{Control>}{Tab}{/Control}");
  expect(screen.getByRole("option", { selected: true })).toHaveTextContent("Explain part 1");
  await user.keyboard("{ArrowUp}{Enter}");
  expect(
    await screen.findByRole("heading", { level: 2, name: "Where is the token checked?" }),
  ).toBeVisible();
});

test("AN-7: the size of the text and the width of the details are remembered", async () => {
  const { backend } = scene("mock", NOW);
  const told = listened(backend);
  const user = openWindow(told.backend, {
    ...remembered,
    inspectorOpen: true,
    inspectorWidthPx: 300,
  });
  const edge = await screen.findByRole("separator", { name: "Width of the details" });
  expect(edge).toHaveAttribute("aria-valuenow", "300");
  edge.focus();
  await user.keyboard("{ArrowLeft}");
  const saved = () => told.calls.filter((it) => it.name === "savePreferences").at(-1)?.args[0];
  await waitFor(() => expect(saved()).toMatchObject({ inspectorWidthPx: 320 }));
  await user.keyboard("{Control>}={/Control}");
  expect(saved()).toMatchObject({ zoomPercent: 110, inspectorWidthPx: 320 });
  await user.keyboard("{Control>}-{/Control}{Control>}-{/Control}");
  expect(saved()).toMatchObject({ zoomPercent: 90 });
  await user.keyboard("{Control>}0{/Control}");
  expect(saved()).toMatchObject({ zoomPercent: 100 });
});

test("the demo that is opened again is marked, offers what is left, and needs no provider", async () => {
  const { backend: whole } = replay([session(recorded("edit_and_check"))]);
  const { backend, called } = play([session(recorded("edit_and_check"))], {
    settings: async () => nobody,
    demoPrompts: async () => ["The first.", "The second."],
    listSessions: async () => (await whole.listSessions()).map((it) => ({ ...it, isDemo: true })),
  });
  const user = openWindow(backend);
  expect(await screen.findByText("Demo: scripted replies, real tools")).toBeVisible();
  await screen.findByText("Done.");
  expect(screen.queryByText("No provider is set up")).toBeNull();
  expect(await screen.findByText("1 prompt is left to send.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "The first." })).toBeNull();
  await user.click(screen.getByRole("button", { name: "The second." }));
  expect(called("prompt")).toEqual([[SESSION, "The second."]]);
});
