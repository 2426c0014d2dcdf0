// The message field, and in one row below it: model, permissions, context, send or stop.

import { ChevronDown, Square } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { SettingsView } from "../../backend/backend.ts";
import type { Preset } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./Composer.module.css";
import { ContextMeter } from "./ContextMeter.tsx";
import { type Browsing, browse } from "./history.ts";
import { PresetSwitch } from "./PresetSwitch.tsx";
import { SlashList } from "./SlashList.tsx";
import { type SlashChoice, slashOf } from "./slash.ts";

export type ComposerProps = {
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  /** What was asked in this session, the first one first. */
  readonly prompts: readonly string[];
  readonly onSend: () => void;
  readonly isRunning: boolean;
  /** A question waits; Esc then denies it, and does not stop the turn. */
  readonly isAsking: boolean;
  readonly onStop: () => void;
  readonly preset: Preset;
  /** Missing where it cannot be changed now; then it is only shown. */
  readonly onPreset: (preset: Preset) => void;
  readonly settings: SettingsView | undefined;
  /** The model that the next turn is sent to, if one is known. */
  readonly model: string | undefined;
  readonly onChooseModel: () => void;
  readonly onModel: (model: string) => void;
  readonly onProvider: (provider: string) => void;
  readonly contextTokens: number | undefined;
  /** Changing the model costs the cache of what was said so far (CF-3). */
  readonly hasTurns: boolean;
  /** Whether the session is open. */
  readonly isReady: boolean;
  /** Why nothing can be sent. */
  readonly blocked: ReactNode;
  /** What went wrong with the last try. */
  readonly error: string | undefined;
};

const escStops = { keys: "Esc", "aria-keyshortcuts": "Escape" };

export function Composer(props: ComposerProps) {
  const { draft, onDraft, isRunning, input } = props;
  const { t } = useLocale();
  const id = useId();
  const [active, setActive] = useState(0);
  const [browsing, setBrowsing] = useState<Browsing>();
  const [dismissed, setDismissed] = useState("");
  const slash = dismissed === draft ? undefined : slashOf(draft, props.settings);
  const chosen = slash?.choices[Math.min(active, slash.choices.length - 1)];
  const canSend = draft.trim() !== "" && props.isReady && !isRunning && props.blocked === undefined;
  useGrowth(input, draft);

  const choose = (choice: SlashChoice) => {
    setActive(0);
    switch (choice.is) {
      case "word":
        onDraft(`/${choice.word} `);
        break;
      case "model":
        onDraft("");
        props.onModel(choice.model);
        break;
      case "provider":
        onDraft("");
        props.onProvider(choice.provider);
        break;
    }
  };

  // Shift+Tab is taken for the preset, so the field has another way back: Esc before it. While a
  // question waits it leads there, as Esc would deny.
  const isLeaving = useRef(false);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Shift" && event.key !== "Tab") isLeaving.current = event.key === "Escape";
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (slash !== undefined && slashKey(event, slash.choices.length, active, setActive)) return;
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const caret = { text: draft, selectionStart, selectionEnd };
    const gone = isPlain ? browse(event.key, caret, props.prompts, browsing) : undefined;
    if (gone !== undefined) {
      event.preventDefault();
      setBrowsing(gone.browsing);
      setDismissed(gone.text);
      onDraft(gone.text);
      return;
    }
    if (event.key === "Escape" && slash !== undefined) {
      event.preventDefault();
      setDismissed(draft);
    } else if (event.key === "Tab" && event.shiftKey && (isLeaving.current || props.isAsking)) {
      isLeaving.current = false;
    } else if (event.key === "Tab" && event.shiftKey) {
      event.preventDefault();
      props.onPreset(presetAfter(props.preset));
    } else if (event.key === "Tab" && !event.shiftKey && chosen?.is === "word") {
      event.preventDefault();
      choose(chosen);
    } else if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      if (chosen !== undefined) choose(chosen);
      else if (slash === undefined && canSend) {
        setBrowsing(undefined);
        props.onSend();
      }
    }
  };

  // The button that was pressed gives its place to the other one, which must not be pressed too.
  const inField = (act: () => void) => () => {
    input.current?.focus();
    act();
  };

  const listId = `${id}-list`;
  const model = props.model ?? t("composer.noModel");
  return (
    <div className={css.composer}>
      <div className={css.box}>
        {slash !== undefined && (
          <SlashList
            id={listId}
            slash={slash}
            draft={draft}
            active={chosen}
            hasTurns={props.hasTurns}
            onChoose={choose}
          />
        )}
        <textarea
          ref={input}
          className={css.input}
          rows={2}
          value={draft}
          placeholder={t("composer.placeholder")}
          aria-label={t("composer.label")}
          aria-describedby={`${id}-hint`}
          aria-controls={slash === undefined ? undefined : listId}
          aria-activedescendant={chosen === undefined ? undefined : `${listId}-${chosen.id}`}
          onChange={(event) => {
            setActive(0);
            setBrowsing(undefined);
            onDraft(event.target.value);
          }}
          onKeyDown={onKeyDown}
        />
        <div className={css.tools}>
          <div className={css.pills}>
            <button
              type="button"
              className={css.pill}
              title={`${t("composer.chooseModel")}\n${model}`}
              aria-haspopup="dialog"
              onClick={props.onChooseModel}
            >
              <span className={css.pillText}>{model}</span>
              <ChevronDown size={12} aria-hidden="true" />
            </button>
            <PresetSwitch preset={props.preset} onPreset={props.onPreset} />
            <ContextMeter
              used={props.contextTokens}
              window={windowOf(props.settings, props.model)}
            />
          </div>
          <span className={css.end}>
            {isRunning ? (
              <Button
                look="outline"
                {...(!props.isAsking && escStops)}
                onClick={inField(props.onStop)}
              >
                <Square size={11} fill="currentColor" aria-hidden="true" />
                {t("composer.stop")}
              </Button>
            ) : (
              <Button look="filled" disabled={!canSend} onClick={inField(props.onSend)}>
                {t("composer.send")}
              </Button>
            )}
          </span>
        </div>
      </div>
      <p id={`${id}-hint`} className={css.hint}>
        {t("composer.sendHint")}
      </p>
      {isRunning && slash === undefined && draft.trim() !== "" && (
        <p className={css.note}>{t("error.turn_running")}</p>
      )}
      {props.blocked !== undefined && <div className={css.blocked}>{props.blocked}</div>}
      {props.error !== undefined && (
        <p className={css.error} role="alert">
          <span>{t("composer.sendFailed")}</span> <span>{props.error}</span>
        </p>
      )}
    </div>
  );
}

/** The arrow keys move in the list; says whether the key was one of them. */
function slashKey(
  event: KeyboardEvent,
  count: number,
  active: number,
  setActive: (active: number) => void,
): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || count === 0) return false;
  event.preventDefault();
  setActive((active + step + count) % count);
  return true;
}

export function presetAfter(preset: Preset): Preset {
  switch (preset) {
    case "read-only":
      return "workspace-write";
    case "workspace-write":
      return "danger-full-access";
    case "danger-full-access":
      return "read-only";
  }
}

function windowOf(view: SettingsView | undefined, model: string | undefined): number | undefined {
  const entry = view?.catalog.find((it) => it.id === view.provider?.provider);
  return entry?.models.find((it) => it.id === model)?.contextTokens ?? undefined;
}

/** The field is as high as its text, up to a third of the window. */
function useGrowth(input: RefObject<HTMLTextAreaElement | null>, draft: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the height depends on.
  useLayoutEffect(() => {
    const field = input.current;
    if (field === null) return;
    field.style.height = "auto";
    field.style.height = `${Math.min(field.scrollHeight, window.innerHeight / 3)}px`;
  }, [input, draft]);
}
