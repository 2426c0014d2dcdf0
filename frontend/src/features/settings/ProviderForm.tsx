// One provider: which, with what key, which model, where; tried with one short question.

import { CircleAlert, CircleCheck } from "lucide-react";
import { type FormEvent, type Ref, type RefObject, useId, useRef, useState } from "react";
import type {
  CatalogView,
  KeyPlace,
  ProviderChoice,
  ProviderTest,
  SettingsView,
} from "../../backend/backend.ts";
import { Button } from "../../components/Button.tsx";
import { useFocusHandedOn } from "../../components/useFocusHandedOn.ts";
import { type Translate, useLocale } from "../../locale/index.ts";
import { useFailureText } from "../failureText.ts";
import { Field } from "./Field.tsx";
import css from "./ProviderForm.module.css";
import { ProviderList } from "./ProviderList.tsx";
import type { SettingsActions } from "./useSettings.ts";

export type ProviderFormProps = {
  readonly view: SettingsView;
  readonly actions: SettingsActions;
  /** The provider that is shown first, if not the one in use. */
  readonly startWith?: string | undefined;
  readonly onSaved: () => void;
  /** Gets the provider that is shown, in the list. */
  readonly chosen?: Ref<HTMLInputElement>;
};

type Outcome =
  | { readonly is: "nothing" }
  | { readonly is: "working" }
  | { readonly is: "saved" }
  | { readonly is: "tested"; readonly test: ProviderTest }
  | { readonly is: "failed"; readonly error: unknown };

export function ProviderForm(props: ProviderFormProps) {
  const { view, actions, startWith, onSaved, chosen } = props;
  const { t } = useLocale();
  const failureText = useFailureText();
  const known = view.catalog;
  const [id, setId] = useState(startWith ?? view.provider?.provider ?? known[0]?.id ?? "custom");
  const [draft, setDraft] = useState<Draft>(() => draftFor(id, view));
  const [outcome, setOutcome] = useState<Outcome>({ is: "nothing" });
  const entry = known.find((it) => it.id === id);
  const keyField = useRef<HTMLInputElement>(null);
  const isWorking = outcome.is === "working";
  const isReady =
    draft.model.trim() !== "" && (entry?.baseUrl !== null || draft.baseUrl.trim() !== "");

  const takesKey = entry === undefined || entry.needsKey || entry.baseUrl === null;

  const edit = (change: Partial<Draft>) => {
    setDraft((it) => ({ ...it, ...change }));
    setOutcome({ is: "nothing" });
  };
  const keepKey = async () => {
    if (draft.key === "") return;
    await actions.saveKey(id, draft.key);
    setDraft((it) => ({ ...it, key: "" }));
  };
  const run = (work: () => Promise<Outcome>) => {
    if (isWorking) return;
    setOutcome({ is: "working" });
    work().then(setOutcome, (error: unknown) => setOutcome({ is: "failed", error }));
  };
  const test = () =>
    run(async () => {
      const key = draft.key === "" ? [] : [draft.key];
      return { is: "tested", test: await actions.testProvider(choiceOf(id, draft), ...key) };
    });
  const removeKey = () =>
    run(async () => {
      await actions.deleteKey(id);
      return { is: "nothing" };
    });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    run(async () => {
      // A key is for an address, so that is chosen first.
      await actions.saveProvider(choiceOf(id, draft));
      await keepKey();
      onSaved();
      return { is: "saved" };
    });
  };

  return (
    <form className={css.form} onSubmit={save} aria-label={t("settings.provider")}>
      {view.provider !== null && !view.saved && <p className={css.note}>{t("room.notKept")}</p>}
      {view.problem !== null && (
        <p className={css.bad} role="status">
          {view.problem}
        </p>
      )}
      <div className={css.sides}>
        <ProviderList
          catalog={known}
          inUse={view.provider?.provider}
          value={id}
          chosen={chosen}
          onValue={(next) => {
            setId(next);
            setDraft(draftFor(next, view));
            setOutcome({ is: "nothing" });
          }}
        />
        <div className={css.detail}>
          <p className={css.head}>
            <span className={css.name}>{entry?.name ?? id}</span>
            {id === view.provider?.provider && (
              <span className={css.inUse}>{t("modelChoice.current")}</span>
            )}
          </p>
          {takesKey && (
            <Field
              label={t("settings.key")}
              value={draft.key}
              onValue={(key) => edit({ key })}
              secret
              mono
              input={keyField}
              hint={keyHint(entry, view, t)}
              placeholder={t("settings.keyField")}
            />
          )}
          <Models
            models={modelsOf(entry, outcome)}
            value={draft.model}
            onValue={(model) => edit({ model })}
          />
          <Field
            label={t("settings.baseUrl")}
            value={draft.baseUrl}
            onValue={(baseUrl) => edit({ baseUrl })}
            mono
            placeholder={entry?.baseUrl ?? "https://"}
          />
          <p className={css.outcome} role="status">
            <OutcomeText outcome={outcome} failureText={failureText} />
          </p>
          <div className={css.foot}>
            {/* A button that is disabled while it works loses the focus. */}
            <Button look="outline" disabled={!isReady} aria-disabled={isWorking} onClick={test}>
              {t("settings.test")}
            </Button>
            {entry !== undefined && (entry.key === "keychain" || entry.key === "file") && (
              <RemoveKey isWorking={isWorking} onRemove={removeKey} after={keyField} />
            )}
            <span className={css.last}>
              <Button look="filled" type="submit" disabled={!isReady} aria-disabled={isWorking}>
                {t("settings.use")}
              </Button>
            </span>
          </div>
        </div>
      </div>
    </form>
  );
}

/** It goes with the key. */
function RemoveKey(props: {
  isWorking: boolean;
  onRemove: () => void;
  after: RefObject<HTMLElement | null>;
}) {
  const { t } = useLocale();
  const button = useRef<HTMLButtonElement>(null);
  useFocusHandedOn(button, props.after);
  return (
    <Button ref={button} aria-disabled={props.isWorking} onClick={props.onRemove}>
      {t("room.removeKey")}
    </Button>
  );
}

/** Empty texts stand for what the catalogue says. */
type Draft = { readonly key: string; readonly model: string; readonly baseUrl: string };

function draftFor(id: string, view: SettingsView): Draft {
  const entry = view.catalog.find((it) => it.id === id);
  const saved = view.provider?.provider === id ? view.provider : undefined;
  return {
    key: "",
    model: saved?.model ?? entry?.models[0]?.id ?? "",
    baseUrl: saved?.baseUrl ?? entry?.baseUrl ?? "",
  };
}

function choiceOf(provider: string, { model, baseUrl }: Draft): ProviderChoice {
  return { provider, model: model.trim(), baseUrl: baseUrl.trim() === "" ? null : baseUrl.trim() };
}

/** A key is never shown again; where it is, and where a new one would go, is. */
function keyHint(entry: CatalogView | undefined, view: SettingsView, t: Translate): string {
  const place = (it: KeyPlace) => t(`settings.keyIn.${it}`);
  if (entry === undefined || entry.key === null) {
    return `${t("settings.keyNone")} · ${t("room.keyGoesTo", { place: place(view.keysGoTo) })}`;
  }
  return t("room.keyKept", { place: place(entry.key) });
}

/** The provider's own list, once it has answered; before that the catalogue's. */
function modelsOf(entry: CatalogView | undefined, outcome: Outcome): readonly string[] {
  if (outcome.is === "tested" && outcome.test.is === "answered" && outcome.test.models !== null) {
    return outcome.test.models;
  }
  return (entry?.models ?? []).map(({ id }) => id);
}

function Models(props: {
  models: readonly string[];
  value: string;
  onValue: (model: string) => void;
}) {
  const { t } = useLocale();
  const list = useId();
  return (
    <>
      <Field
        label={t("settings.model")}
        value={props.value}
        onValue={props.onValue}
        list={props.models.length === 0 ? undefined : list}
        placeholder={t("modelChoice.name")}
      />
      <datalist id={list}>
        {props.models.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </>
  );
}

function OutcomeText(props: { outcome: Outcome; failureText: (error: unknown) => string }) {
  const { t } = useLocale();
  const { outcome } = props;
  switch (outcome.is) {
    case "nothing":
      return null;
    case "working":
      return t("settings.testing");
    case "saved":
      return <Good>{t("settings.saved")}</Good>;
    case "failed":
      return <Bad>{props.failureText(outcome.error)}</Bad>;
    case "tested":
      return <TestText test={outcome.test} />;
  }
}

function TestText({ test }: { test: ProviderTest }) {
  const { t, format } = useLocale();
  if (test.is === "failed") {
    return <Bad>{`${t(`turnFailure.${test.failure.code}`)} (${test.failure.message})`}</Bad>;
  }
  const time = format.duration(test.durationMs);
  if (test.hasModel === false) return <Bad>{t("room.modelNotListed", { time })}</Bad>;
  const { model } = test;
  // A provider that lists its models was asked for nothing else.
  const said = test.models === null ? "settings.testAnswered" : "settings.testListed";
  return <Good>{model === null ? t("room.keyWorks", { time }) : t(said, { model, time })}</Good>;
}

function Good({ children }: { children: string }) {
  return (
    <span className={css.good}>
      <CircleCheck size={14} aria-hidden="true" /> {children}
    </span>
  );
}

function Bad({ children }: { children: string }) {
  return (
    <span className={css.bad}>
      <CircleAlert size={14} aria-hidden="true" /> {children}
    </span>
  );
}
