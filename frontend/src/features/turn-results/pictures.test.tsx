// A changed file as pictures: both sides say what they are, and nothing late or false is shown.

import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackendError } from "../../backend/backend.ts";
import type { PictureGap, PictureMedia, PictureSide, Pictures } from "../../bindings.ts";
import { giveViewport } from "../../components/testViewport.ts";
import type { TurnResultView } from "../../state/turnResult.ts";
import { bytes, renderIn } from "../forTests.tsx";
import { DiffPane, type DiffPaneProps } from "./DiffPane.tsx";
import { file, viewOf } from "./forTests.ts";

type From = DiffPaneProps["backend"];

/** What the page has URLs of, as long as it has them: the media type, and what the bytes say. */
const urls = new Map<string, Blob>();
let made = 0;

beforeEach(() => {
  giveViewport();
  urls.clear();
  URL.createObjectURL = (blob) => {
    if (!(blob instanceof Blob)) throw new Error("not of bytes");
    made += 1;
    urls.set(`blob:${made}`, blob);
    return `blob:${made}`;
  };
  URL.revokeObjectURL = (url) => urls.delete(url);
});

afterEach(() => {
  Reflect.deleteProperty(URL, "createObjectURL");
  Reflect.deleteProperty(URL, "revokeObjectURL");
});

const missing = new BackendError({ kind: "missing", message: "gone" });

const side = (media: PictureMedia = "image/png", totalBytes = 1234): PictureSide => ({
  is: "picture",
  media,
  totalBytes,
  pixels: { width: 640, height: 48 },
});

const gap = (why: PictureGap): PictureSide => ({ is: "unavailable", why });

const PATCH = bytes("--- a/a.svg\n+++ b/a.svg\n@@ -1 +1 @@\n-<svg/>\n+<svg />\n");

/** Answers with the side's own name as its bytes. */
function backend(said: Pictures, more: Partial<From> = {}): From {
  return {
    patch: () => Promise.resolve(PATCH),
    turnChanges: () => Promise.reject(new Error("not asked for in this test")),
    pictures: () => Promise.resolve(said),
    picture: (session, _turn, _path, of) => Promise.resolve(bytes(`${session} ${of}`)),
    ...more,
  };
}

function Pane({ shown, from, session }: { shown: TurnResultView; from: From; session: string }) {
  const [path, setPath] = useState<string>();
  return <DiffPane backend={from} session={session} view={shown} path={path} onPath={setPath} />;
}

const settled = () => act(() => new Promise((resolve) => setTimeout(resolve)));

async function show(shown: TurnResultView, from: From) {
  const page = renderIn(<Pane shown={shown} from={from} session="s_1" />);
  await settled();
  return page;
}

const png = (path = "a.png") => file(path, { count: { is: "binary" } });

/** The sides, by what they are called. */
function sides(): HTMLElement[] {
  const pair = screen.getByRole("group", { name: /^Pictures of/ });
  return within(pair).getAllByRole("figure");
}

/** What a picture on the page is made of. */
async function drawn(name: string): Promise<[type: string, text: string]> {
  const src = screen.getByRole("img", { name }).getAttribute("src") ?? "";
  const blob = urls.get(src);
  if (blob === undefined) throw new Error(`${src} is no URL of the page`);
  return [blob.type, await blob.text()];
}

test("a picture is shown before and after, with its sizes, by the media type that the host tells", async () => {
  await show(viewOf(png()), backend({ before: side("image/gif"), after: side("image/webp", 20) }));
  const [before, after] = sides();
  expect(before).toHaveTextContent("Before640 × 48 pixels1.2 kB");
  expect(after).toHaveTextContent("After640 × 48 pixels20 B");
  expect(await drawn("a.png before this turn")).toEqual(["image/gif", "s_1 before"]);
  expect(await drawn("a.png after this turn")).toEqual(["image/webp", "s_1 after"]);
});

test("of an SVG the text comes first, and a key shows it as pictures and as text again", async () => {
  const user = userEvent.setup();
  const pictures = vi.fn(() => Promise.resolve(said));
  const said = { before: side("image/svg+xml"), after: side("image/svg+xml") };
  await show(viewOf(file("a.svg"), file("B.SVG")), backend(said, { pictures }));
  expect(screen.getByRole("grid", { name: "Diff of a.svg" })).toBeVisible();
  expect(pictures).not.toHaveBeenCalled();
  const button = screen.getByRole("button", { name: "Show as pictures", pressed: false });
  act(() => button.focus());
  await user.keyboard("{Enter}");
  await settled();
  expect(await drawn("a.svg after this turn")).toEqual(["image/svg+xml", "s_1 after"]);
  expect(screen.queryByRole("grid")).toBeNull();
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-pressed", "true");

  // What is chosen holds for the next file too.
  screen.getByRole("listbox").focus();
  await user.keyboard("{ArrowDown}");
  await settled();
  expect(screen.getByRole("img", { name: "B.SVG before this turn" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Show as pictures" }));
  await settled();
  expect(screen.getByRole("grid", { name: "Diff of B.SVG" })).toBeVisible();
});

test("of an SVG whose diff is over its bound, the pictures are shown below the reason", async () => {
  const said = { before: side("image/svg+xml"), after: side("image/svg+xml") };
  const large = file("a.svg", { unavailable: "size_limit" });
  const none = vi.fn(() => Promise.reject(missing));
  await show(viewOf(large), backend(said, { patch: none }));
  expect(screen.getByText("The diff is over the size limit and was not kept")).toBeVisible();
  expect(await drawn("a.svg before this turn")).toEqual(["image/svg+xml", "s_1 before"]);
  expect(await drawn("a.svg after this turn")).toEqual(["image/svg+xml", "s_1 after"]);
});

test("of an SVG without a diff, what is kept of one side is shown, and of one without any that there is none", async () => {
  const lost = file("a.svg", { unavailable: "snapshot_unavailable" });
  const none = { patch: () => Promise.reject(missing) };
  const page = await show(viewOf(lost), backend({ before: gap("not_kept"), after: side() }, none));
  expect(screen.getByText("The diff is unavailable")).toBeVisible();
  expect(screen.getByRole("img", { name: "a.svg after this turn" })).toBeVisible();
  page.unmount();
  await show(viewOf(lost), backend({ before: gap("not_kept"), after: gap("not_kept") }, none));
  expect(screen.getByText("The diff is unavailable")).toBeVisible();
  expect(screen.queryByRole("group", { name: /^Pictures of/ })).toBeNull();
});

test("a URL is given back when its picture is no longer shown", async () => {
  const from = backend({ before: side(), after: side() });
  const page = await show(viewOf(png("a.png"), png("b.png")), from);
  const first = [...urls.keys()];
  expect(first).toHaveLength(2);
  const user = userEvent.setup();
  screen.getByRole("listbox").focus();
  await user.keyboard("{ArrowDown}");
  await waitFor(() => screen.getByRole("img", { name: "b.png after this turn" }));
  expect(urls.size).toBe(2);
  expect(first.filter((it) => urls.has(it))).toEqual([]);
  page.unmount();
  expect(urls.size).toBe(0);
});

test("CL-6: a side that was not there is told apart from one that cannot be shown", async () => {
  await show(viewOf(png()), backend({ before: { is: "absent" }, after: side() }));
  expect(sides()[0]).toHaveTextContent(/^BeforeNot there$/);
  expect(screen.getAllByRole("img")).toHaveLength(1);
});

test.each<[PictureGap, string]>([
  ["too_large", "The file is too large."],
  ["too_many_pixels", "It has too many pixels."],
  ["removed", "It is not kept any more."],
  ["not_kept", "It was not kept, or is damaged."],
  ["broken", "It does not decode."],
])("CL-6: a side that cannot be shown says why: %s", async (why, text) => {
  await show(viewOf(png()), backend({ before: gap(why), after: side() }));
  expect(sides()[0]).toHaveTextContent(`BeforeCannot be shown${text}`);
});

test("what is known of the size is told beside a picture that cannot be shown", async () => {
  const before: PictureSide = {
    is: "unavailable",
    why: "too_large",
    totalBytes: 9_000_000,
    pixels: { width: 9000, height: 10 },
  };
  await show(viewOf(png()), backend({ before, after: { is: "other", totalBytes: 2 } }));
  expect(sides()[0]).toHaveTextContent("9,000 × 10 pixels9 MB");
  expect(sides()[1]).toHaveTextContent("After2 BNot a picture");
});

test("an SVG that says no size of its own is not given one", async () => {
  const said: PictureSide = { is: "picture", media: "image/svg+xml", totalBytes: 9 };
  await show(viewOf(png()), backend({ before: { is: "absent" }, after: said }));
  expect(sides()[1]).toHaveTextContent("no size of its own");
});

test("CL-6: a picture that the page cannot decode says so", async () => {
  await show(viewOf(png()), backend({ before: side(), after: side() }));
  fireEvent.error(screen.getByRole("img", { name: "a.png before this turn" }));
  expect(sides()[0]).toHaveTextContent("Cannot be shownIt does not decode.");
  expect(screen.getAllByRole("img")).toHaveLength(1);
  expect(urls.size).toBe(1);
});

test("a picture that went in between, or failed, says so, and is asked for again", async () => {
  const user = userEvent.setup();
  const picture = vi
    .fn(backend({ before: side(), after: side() }).picture)
    .mockRejectedValueOnce(missing)
    .mockRejectedValueOnce(new BackendError({ kind: "internal", message: "disk I/O error" }));
  await show(viewOf(png()), backend({ before: side(), after: side() }, { picture }));
  expect(sides()[0]).toHaveTextContent("Cannot be shownIt is not kept any more.");
  expect(screen.getByRole("alert")).toHaveTextContent("disk I/O error");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await settled();
  expect(screen.getByRole("img", { name: "a.png after this turn" })).toBeVisible();
});

test("a binary file that is no picture says what it is, and whether its details were cleaned", async () => {
  const other: PictureSide = { is: "other", totalBytes: 3 };
  const page = await show(viewOf(png("a.bin")), backend({ before: other, after: other }));
  expect(page.container).toHaveTextContent("Binary file: no lines to show");
  page.unmount();
  const gone = backend({ before: gap("removed"), after: gap("removed") });
  const { container } = await show(viewOf(png("a.png")), gone);
  expect(container).toHaveTextContent("Details were cleaned; the summary is kept");
  expect(screen.queryByRole("figure")).toBeNull();
});

test("a text that is only called an SVG shows no picture", async () => {
  const other: PictureSide = { is: "other", totalBytes: 3 };
  const { container } = await show(viewOf(file("a.svg")), backend({ before: other, after: other }));
  await userEvent.click(screen.getByRole("button", { name: "Show as pictures" }));
  await settled();
  expect(container).toHaveTextContent("No picture of this file can be shown");
});

test("pictures that come after a switch of the session are not shown (CL-8, UI-9)", async () => {
  const asked: ((said: Pictures) => void)[] = [];
  const pictures = () => new Promise<Pictures>((resolve) => asked.push(resolve));
  const sent: ((it: Uint8Array<ArrayBuffer>) => void)[] = [];
  const picture = () => new Promise<Uint8Array<ArrayBuffer>>((resolve) => sent.push(resolve));
  const from = backend({ before: side(), after: side() }, { pictures, picture });
  const shown = viewOf(png());
  const page = renderIn(<Pane shown={shown} from={from} session="s_1" />);
  await settled();
  page.rerender(<Pane shown={{ ...shown, resultId: "6:2" }} from={from} session="s_2" />);
  await settled();
  const one = { before: side(), after: { is: "absent" } } satisfies Pictures;
  await act(async () => asked[0]?.({ before: side(), after: side() }));
  expect(screen.queryByRole("figure")).toBeNull();
  await act(async () => asked[1]?.(one));
  expect(sides()[1]).toHaveTextContent("Not there");

  // And so are the bytes of one.
  page.rerender(<Pane shown={{ ...shown, resultId: "6:3" }} from={from} session="s_3" />);
  await settled();
  await act(async () => asked[2]?.(one));
  await act(async () => sent[0]?.(bytes("theirs")));
  expect(screen.queryByRole("img")).toBeNull();
  await act(async () => sent[1]?.(bytes("ours")));
  expect(await drawn("a.png before this turn")).toEqual(["image/png", "ours"]);
});
