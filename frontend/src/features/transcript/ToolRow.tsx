// One call of a tool: one line, which opens to what the model asked for and what it was told.

import { ChevronRight } from "lucide-react";
import { useId } from "react";
import type { ToolCallId, ToolDetail } from "../../bindings.ts";
import { PathText } from "../../components/PathText.tsx";
import { useLocale } from "../../locale/index.ts";
import type { ToolItem } from "../../state/session.ts";
import { toolWord } from "../../state/toolWord.ts";
import { VisibleText } from "../VisibleText.tsx";
import { ToolDetailView } from "./ToolDetailView.tsx";
import css from "./ToolRow.module.css";
import { endOf, verbOf } from "./toolWords.ts";

export type ToolRowProps = {
  readonly tool: ToolItem;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly load: (call: ToolCallId) => Promise<ToolDetail>;
};

export function ToolRow({ tool, isOpen, onToggle, load }: ToolRowProps) {
  const { t, format } = useLocale();
  const panel = useId();
  const end = endOf(tool, t, format);
  return (
    <div>
      <button
        type="button"
        className={css.line}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={onToggle}
      >
        <ChevronRight size={14} aria-hidden="true" className={css.chevron} />
        <span className={css.what}>
          <span className={css.verb}>{verbOf(tool, t)}</span> <Subject tool={tool} />
        </span>{" "}
        <span className={`${css.end} ${css[end.tone]}`}>{end.text}</span>
      </button>
      {isOpen && (
        <div id={panel} className={css.detail}>
          <ToolDetailView tool={tool} load={load} />
        </div>
      )}
    </div>
  );
}

/** A path is shortened in its middle, a command at its end. */
function Subject({ tool }: { tool: ToolItem }) {
  const title = tool.title.text;
  switch (toolWord(tool.tool)) {
    case "read":
    case "create":
    case "edit":
    case "list":
      return <PathText path={title} />;
    case "search":
    case "run":
      return (
        <code className={css.subject} title={title}>
          <VisibleText text={title} oneLine />
        </code>
      );
    case "other":
      return (
        <code className={css.subject} title={title}>
          <VisibleText text={tool.tool === title ? title : `${tool.tool} ${title}`} oneLine />
        </code>
      );
  }
}
