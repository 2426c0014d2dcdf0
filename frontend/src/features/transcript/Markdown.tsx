// The model's text as Markdown. Nothing in it runs, loads or leads out of the window by itself.

import { Check, Copy, Square, SquareCheck } from "lucide-react";
import { type ComponentProps, memo, type ReactNode, useContext, useState } from "react";
import { Streamdown, type StreamdownProps, useIsCodeFenceIncomplete } from "streamdown";
import { CodeBlock } from "../../components/code/CodeBlock.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./Markdown.module.css";
import { isPage, OnLink } from "./onLink.ts";

export type MarkdownProps = {
  readonly text: string;
  /** More is still to come, so an open mark is taken for a closed one. */
  readonly isLive: boolean;
};

export const Markdown = memo(function Markdown({ text, isLive }: MarkdownProps) {
  return (
    <div className={css.text}>
      <Streamdown
        components={components}
        parseIncompleteMarkdown={isLive}
        controls={false}
        linkSafety={notAsked}
        lineNumbers={false}
      >
        {text}
      </Streamdown>
    </div>
  );
});

/** The plain elements, so that our style sheet is the only one; headings stand below the turn's. */
const components: NonNullable<StreamdownProps["components"]> = {
  h1: "h4",
  h2: "h5",
  h3: "h6",
  h4: "h6",
  h5: "h6",
  h6: "h6",
  p: "p",
  ul: "ul",
  ol: "ol",
  li: "li",
  strong: "strong",
  blockquote: "blockquote",
  hr: "hr",
  sup: "sup",
  sub: "sub",
  section: "section",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
  table: Table,
  a: Link,
  img: Picture,
  input: Task,
  code: Fence,
  inlineCode: InlineCode,
};

/** What streamdown hands to the component for an element: its attributes, and some of its own. */
type Element<Name extends "a" | "code" | "img" | "input" | "table"> = ComponentProps<Name> & {
  node?: unknown;
};

/** A link shows where it leads; it is not asked again. */
const notAsked = { enabled: false };

function InlineCode({ children }: Element<"code">) {
  return <code>{children}</code>;
}

function Table({ children }: Element<"table">) {
  return (
    <div className={css.wide}>
      <table>{children}</table>
    </div>
  );
}

/** A page opens in the user's browser; the window itself never leaves its own. */
function Link({ href, children }: Element<"a">) {
  const onLink = useContext(OnLink);
  if (href === undefined || href.startsWith("#")) return <span>{children}</span>;
  if (!isPage(href)) return <Address href={href}>{children}</Address>;
  return (
    <a
      href={href}
      className={css.link}
      title={href}
      onClick={(event) => {
        event.preventDefault();
        onLink(href);
      }}
    >
      {children}
    </a>
  );
}

/** An address of another kind can be copied. */
function Address({ href, children }: { href: string; children: ReactNode }) {
  const { t } = useLocale();
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className={css.link}
      title={`${href}\n${t(copied ? "action.copied" : "room.copyLink")}`}
      onBlur={() => setCopied(false)}
      onClick={() => {
        void navigator.clipboard.writeText(href).then(
          () => setCopied(true),
          () => setCopied(false),
        );
      }}
    >
      {children}
      {copied ? (
        <Check size={12} role="img" aria-label={t("action.copied")} />
      ) : (
        <Copy size={12} aria-hidden="true" />
      )}
    </button>
  );
}

/** A picture is named, not loaded. */
function Picture({ alt, src }: Element<"img">) {
  const { t } = useLocale();
  return (
    <span className={css.picture}>
      {t("room.picture", { name: alt || (typeof src === "string" ? src : "") })}
    </span>
  );
}

/** The box of a list of tasks; it says how the model sees them. */
function Task({ checked }: Element<"input">) {
  const { t } = useLocale();
  const Box = checked === true ? SquareCheck : Square;
  return (
    <Box
      size={14}
      className={css.task}
      role="img"
      aria-label={t(checked === true ? "room.taskDone" : "room.taskOpen")}
    />
  );
}

function Fence({ className, children }: Element<"code">) {
  const { t } = useLocale();
  const growing = useIsCodeFenceIncomplete();
  const language = /language-(\S+)/.exec(className ?? "")?.[1];
  const code = (typeof children === "string" ? children : "").replace(/\n$/, "");
  return (
    <CodeBlock
      code={code}
      language={language}
      growing={growing}
      label={language === undefined ? t("transcript.code") : t("transcript.codeIn", { language })}
      copyLabel={t("action.copy")}
      copiedLabel={t("action.copied")}
    />
  );
}
