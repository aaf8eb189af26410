import type { FilterProblem } from "../../../domain/filter/filter-problem.js";
import { parseFilter } from "../../../domain/filter/parse-filter.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { TimeZone } from "../../../domain/trace/time-zone.js";
import { CommandLineError } from "../text/terminal.js";

const AROUND = 60;

/**
 * Runs before any history is opened.
 * @throws CommandLineError for an invalid filter, with the position of the error; and for an invalid time zone
 */
export function checkFilter(text: string | undefined, zoneName?: string): void {
  const zone = TimeZone.named(zoneName ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (zone === undefined) {
    throw new CommandLineError(
      `There is no time zone "${visibleText(zoneName ?? "")}". A zone is named like Europe/Berlin.`,
    );
  }
  if (text === undefined) return;
  const { problem } = parseFilter(text, { now: Date.now(), zone });
  if (problem !== undefined) throw new CommandLineError(problemText(text, problem));
}

function problemText(text: string, { message, at, length }: FilterProblem): string {
  const before = visibleText(text.slice(Math.max(0, at - AROUND), at));
  const wrong = visibleText(text.slice(at, at + Math.min(length, AROUND)));
  const behind = visibleText(text.slice(at + length).slice(0, AROUND));
  const marks = "^".repeat(Math.max(1, wrong.length));
  return `--filter: ${visibleText(message)}\n  ${before}${wrong}${behind}\n  ${" ".repeat(before.length)}${marks}`;
}
