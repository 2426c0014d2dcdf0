// The providers, one below the other, of which one is shown beside the list. The arrow keys go
// through them.

import { Check, KeyRound } from "lucide-react";
import { type Ref, useEffect, useId, useRef } from "react";
import type { CatalogView } from "../../backend/backend.ts";
import { Hidden } from "../../components/Hidden.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./ProviderList.module.css";

export type ProviderListProps = {
  readonly catalog: readonly CatalogView[];
  /** The one that answers now, if one is set up. */
  readonly inUse: string | undefined;
  readonly value: string;
  readonly onValue: (id: string) => void;
  /** Gets the one that is shown. */
  readonly chosen?: Ref<HTMLInputElement> | undefined;
};

export function ProviderList({ catalog, inUse, value, onValue, chosen }: ProviderListProps) {
  const { t } = useLocale();
  const name = useId();
  const list = useRef<HTMLDivElement>(null);
  // Where the list is long, the one that is shown is in view from the start.
  useEffect(() => {
    list.current?.querySelector("label:has(:checked)")?.scrollIntoView?.({ block: "nearest" });
  }, []);
  return (
    <div ref={list} className={css.list} role="radiogroup" aria-label={t("settings.name")}>
      {catalog.map((entry) => {
        const marks = marksOf(entry, inUse);
        const described = `${name}-${entry.id}`;
        return (
          <label key={entry.id} className={css.row}>
            <input
              ref={entry.id === value ? chosen : undefined}
              type="radio"
              name={name}
              className={css.radio}
              aria-label={entry.name}
              aria-describedby={marks.length === 0 ? undefined : described}
              checked={entry.id === value}
              onChange={() => onValue(entry.id)}
            />
            <span className={css.name} title={entry.name}>
              {entry.name}
            </span>
            <span id={described} className={css.marks}>
              {marks.map((mark) => {
                const Sign = signs[mark];
                return (
                  <span key={mark} className={css.mark} title={t(words[mark])}>
                    <Sign size={13} aria-hidden="true" /> <Hidden>{`${t(words[mark])}. `}</Hidden>
                  </span>
                );
              })}
            </span>
          </label>
        );
      })}
    </div>
  );
}

type Mark = "inUse" | "hasKey";

const signs = { inUse: Check, hasKey: KeyRound };
const words = { inUse: "modelChoice.current", hasKey: "settings.hasKey" } as const;

function marksOf({ id, key }: CatalogView, inUse: string | undefined): readonly Mark[] {
  return [
    ...(key === null ? [] : (["hasKey"] as const)),
    ...(id === inUse ? (["inUse"] as const) : []),
  ];
}
