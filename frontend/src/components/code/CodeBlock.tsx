// A block of code, coloured as soon as the worker has read it. The text is there at once.

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../Button.tsx";
import { ScrolledText } from "../ScrolledText.tsx";
import css from "./CodeBlock.module.css";
import { CodeLine } from "./CodeLine.tsx";
import { highlight } from "./highlighter.ts";
import { languageNamed } from "./languages.ts";
import type { Token } from "./tokens.ts";

export type CodeBlockProps = {
  code: string;
  /** As a fence names it; unknown ones stay plain. */
  language?: string | undefined;
  /** What it is, for who cannot see it. */
  label: string;
  copyLabel: string;
  copiedLabel: string;
  /** Text that still comes is not coloured. */
  growing?: boolean;
};

export function CodeBlock(props: CodeBlockProps) {
  const { code, language, label, growing = false } = props;
  const lines = useTokens(code, growing ? undefined : language);
  return (
    <section className={css.block} aria-label={label}>
      <ScrolledText label={label} look={css.code}>
        <code>
          {lines === undefined
            ? code
            : code.split("\n").map((line, index, all) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name.
                <span key={index}>
                  <CodeLine text={line} tokens={lines[index]} />
                  {index < all.length - 1 && "\n"}
                </span>
              ))}
        </code>
      </ScrolledText>
      <div className={css.tools}>
        <CopyButton text={code} label={props.copyLabel} doneLabel={props.copiedLabel} />
      </div>
    </section>
  );
}

/** Returns the tokens of each line, or `undefined` while the code is plain. */
function useTokens(code: string, language: string | undefined): Token[][] | undefined {
  const [found, setFound] = useState<{ code: string; lines: Token[][] }>();
  useEffect(() => {
    const known = language === undefined ? undefined : languageNamed(language);
    if (known === undefined) return;
    let here = true;
    void highlight(code, known).then((lines) => {
      if (here && lines.length > 0) setFound({ code, lines });
    });
    return () => {
      here = false;
    };
  }, [code, language]);
  return found?.code === code ? found.lines : undefined;
}

type CopyButtonProps = { text: string; label: string; doneLabel: string };

/** Copies a text, and says that it did. */
export function CopyButton({ text, label, doneLabel }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  return (
    <IconButton
      label={done ? doneLabel : label}
      onBlur={() => setDone(false)}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(
          () => setDone(true),
          // Refused by the system; the button then still offers to copy.
          () => setDone(false),
        );
      }}
    >
      {done ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
    </IconButton>
  );
}
