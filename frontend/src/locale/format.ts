// Numbers, times and sizes in the words of a language. "Now" is always handed in.

import type { LineRange, UnixSeconds } from "../bindings.ts";
import { type Language, pageLanguage } from "./languages.ts";

/** How a language writes numbers and times. */
export type Format = {
  /** `1,234` */
  readonly number: (value: number) => string;
  /** `186K`, where the exact number does not matter. */
  readonly compact: (value: number) => string;
  /** `98.7%`; less than all is never shown as all. */
  readonly share: (value: number) => string;
  /** `40 ms`, `4.2 s`, `1 min 5 s`, `1 h 2 min` */
  readonly duration: (milliseconds: number) => string;
  /** `1–400, 721–1,000`: lines as people count them, the last one among them. */
  readonly ranges: (ranges: readonly LineRange[]) => string;
  /** `1.2 kB` */
  readonly size: (bytes: number) => string;
  /** `14:32` */
  readonly clock: (at: UnixSeconds) => string;
  /** Day and time, for a tooltip. */
  readonly moment: (at: UnixSeconds) => string;
  /** `2 h`; empty within the last minute, for which there is a text. */
  readonly age: (at: UnixSeconds, now: UnixSeconds) => string;
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function formatIn(language: Language): Format {
  const tag = pageLanguage(language);
  const number = new Intl.NumberFormat(tag);
  const compact = new Intl.NumberFormat(tag, { notation: "compact", maximumFractionDigits: 1 });
  const share = new Intl.NumberFormat(tag, {
    style: "percent",
    maximumFractionDigits: 1,
    roundingMode: "floor",
  });
  const clock = new Intl.DateTimeFormat(tag, { hour: "2-digit", minute: "2-digit", hour12: false });
  const moment = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short" });
  const units = new Map<string, Intl.NumberFormat>();
  const unit = (name: string, value: number, digits = 0) => {
    const key = `${name} ${digits}`;
    // The narrow minute of English reads as a metre; the narrow millisecond of Chinese is English.
    const unitDisplay = name === "minute" || name === "millisecond" ? "short" : "narrow";
    const options = { style: "unit", unit: name, unitDisplay } as const;
    const format =
      units.get(key) ?? new Intl.NumberFormat(tag, { ...options, maximumFractionDigits: digits });
    units.set(key, format);
    return spaced(format.formatToParts(value));
  };

  return {
    number: (value) => number.format(value),
    compact: (value) => compact.format(value),
    share: (value) => share.format(value),
    duration: (milliseconds) => {
      if (milliseconds < 100) return unit("millisecond", milliseconds);
      const seconds = Math.round(milliseconds / 100) / 10;
      if (seconds < MINUTE) return unit("second", seconds, 1);
      const minutes = Math.floor(seconds / MINUTE);
      if (seconds < HOUR) {
        return `${unit("minute", minutes)} ${unit("second", Math.floor(seconds % MINUTE))}`;
      }
      return `${unit("hour", Math.floor(minutes / 60))} ${unit("minute", minutes % 60)}`;
    },
    ranges: (ranges) =>
      ranges
        .map(([start, end]) => {
          const last = number.format(end);
          return end === start + 1 ? last : `${number.format(start + 1)}–${last}`;
        })
        .join(language === "en" ? ", " : "、"),
    size: (bytes) => {
      if (bytes < 1000) return unit("byte", bytes);
      if (bytes < 1_000_000) return unit("kilobyte", bytes / 1000, 1);
      return unit("megabyte", bytes / 1_000_000, 1);
    },
    clock: (at) => clock.format(at * 1000),
    moment: (at) => moment.format(at * 1000),
    age: (at, now) => {
      const seconds = Math.max(0, now - at);
      if (seconds < MINUTE) return "";
      if (seconds < HOUR) return unit("minute", Math.floor(seconds / MINUTE));
      if (seconds < DAY) return unit("hour", Math.floor(seconds / HOUR));
      return unit("day", Math.floor(seconds / DAY));
    },
  };
}

/** The number and its unit, a space apart in every language. */
function spaced(parts: readonly Intl.NumberFormatPart[]): string {
  const text = (isUnit: boolean) =>
    parts.map((it) => ((it.type === "unit") === isUnit ? it.value : "")).join("");
  return `${text(false).trim()} ${text(true)}`;
}
