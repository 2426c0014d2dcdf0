// The inside of a call: why it did not work where it did not, its arguments, its output.

import { useEffect, useMemo, useState } from "react";
import type { ToolCallId, ToolDetail } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { ScrolledText } from "../../components/ScrolledText.tsx";
import { useLocale } from "../../locale/index.ts";
import type { ToolItem } from "../../state/session.ts";
import { Passage } from "../diff/Passage.tsx";
import { proposedWrite } from "../diff/proposed.ts";
import css from "./ToolDetailView.module.css";
import { type Argument as ReadArgument, readArguments } from "./toolArguments.ts";

type Pulled =
  | { readonly is: "loading" }
  | { readonly is: "failed" }
  | { readonly is: "loaded"; readonly detail: ToolDetail };

export function ToolDetailView(props: {
  tool: ToolItem;
  load: (call: ToolCallId) => Promise<ToolDetail>;
}) {
  const { tool } = props;
  const { t } = useLocale();
  const { pulled, again } = usePulledDetail(tool, props.load);
  return (
    <div className={css.detail}>
      <WhyNot tool={tool} />
      {pulled.is === "loading" && <p role="status">{t("state.loading")}</p>}
      {pulled.is === "failed" && (
        <p role="status">
          {t("step.detailFailed")} <Button onClick={again}>{t("action.retry")}</Button>
        </p>
      )}
      {pulled.is === "loaded" && <Arguments tool={tool.tool} text={pulled.detail.arguments} />}
      <Output
        text={(pulled.is === "loaded" ? pulled.detail.output : undefined) ?? tool.output?.text}
      />
    </div>
  );
}

/** Asks again when the call has ended; an answer for a line that is gone is dropped. */
function usePulledDetail(tool: ToolItem, load: (call: ToolCallId) => Promise<ToolDetail>) {
  const [pulled, setPulled] = useState<Pulled>({ is: "loading" });
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is made anew with its owner.
  useEffect(() => {
    let dropped = false;
    load(tool.call).then(
      (detail) => !dropped && setPulled({ is: "loaded", detail }),
      () => !dropped && setPulled({ is: "failed" }),
    );
    return () => {
      dropped = true;
    };
  }, [tool.call, tool.status, tries]);
  return { pulled, again: () => setTries((it) => it + 1) };
}

function WhyNot({ tool }: { tool: ToolItem }) {
  const { t } = useLocale();
  const { refusal, failure } = tool;
  if (refusal !== undefined) {
    return (
      <dl className={css.why}>
        <dt>{t("refusal.title")}</dt>
        <dd>
          {t(`refusal.${refusal.code}`)} <code className={css.code}>{refusal.code}</code>
        </dd>
        <dt>{t("refusal.recovery")}</dt>
        <dd>
          {t("step.recovery", {
            actions: refusal.allowedRecovery.map((it) => t(`recovery.${it}`)).join(" · "),
            again: t(refusal.retryable ? "refusal.retryable" : "refusal.notRetryable"),
          })}
        </dd>
      </dl>
    );
  }
  if (failure === undefined || failure.code === "exit_code") return null;
  return (
    <dl className={css.why}>
      <dt>{t("step.status.failed")}</dt>
      <dd>
        {t(`failure.${failure.code}`)} <code className={css.code}>{failure.code}</code>
      </dd>
      <dt>{t("step.told")}</dt>
      <dd lang="en">
        {failure.message}; {failure.next}
      </dd>
    </dl>
  );
}

/** The arguments that are shown as lines of a diff. */
const WRITTEN = new Set(["content", "old_string", "new_string"]);

/** Each argument by its name; a text of several lines is shown as it is, a write as its lines. */
function Arguments({ tool, text }: { tool: string; text: string }) {
  const { t } = useLocale();
  const read = readArguments(text);
  const proposed = useMemo(() => proposedWrite(tool, text), [tool, text]);
  const path = read?.find((it) => it.name === "path")?.value ?? "";
  if (read !== undefined && proposed.is !== "other") {
    const others = read.filter(({ name }) => !WRITTEN.has(name));
    return (
      <section className={css.arguments} aria-label={t("step.arguments")}>
        {others.map((it) => (
          <Argument key={it.name} {...it} />
        ))}
        {proposed.rows.length === 0 ? (
          <p>{t("permission.emptyFile")}</p>
        ) : (
          <Passage rows={proposed.rows} path={path} label={t("step.lines")} />
        )}
      </section>
    );
  }
  if (read === undefined) return <Block title={t("step.arguments")} text={text} />;
  return (
    <section aria-label={t("step.arguments")}>
      {read.map((it) => (
        <Argument key={it.name} {...it} />
      ))}
    </section>
  );
}

function Argument({ name, value }: ReadArgument) {
  if (value.includes("\n")) return <Block title={name} text={value} />;
  return (
    <p className={css.argument}>
      <span className={css.name}>{name}</span> <code>{value}</code>
    </p>
  );
}

function Output({ text }: { text: string | undefined }) {
  const { t } = useLocale();
  if (text === undefined) return null;
  if (text === "") return <p>{t("step.noOutput")}</p>;
  return <Block title={t("step.output")} text={text} />;
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <section aria-label={title}>
      <p className={css.name}>{title}</p>
      <ScrolledText label={title} look={css.block}>
        {text}
      </ScrolledText>
    </section>
  );
}
