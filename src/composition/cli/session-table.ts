import type { InspectorSessionItem } from "../../domain/session/session.js";
import type { Cost } from "../../domain/usage/money.js";
import { plainText } from "./terminal-text.js";

/** Of a file or a pipe, which have no width. */
const WIDTH = 160;

/** Narrower than that, a title says nothing. */
const NARROWEST_TITLE = 16;

const COUNT = new Intl.NumberFormat("en");
const DOLLARS = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly text: (session: InspectorSessionItem) => string;
}

const COLUMNS: readonly Column[] = [
  { name: "LAST ACTIVE", text: ({ lastActive }) => localInstant(lastActive) },
  { name: "TURNS", isNumber: true, text: ({ turns }) => COUNT.format(turns) },
  { name: "TOKENS", isNumber: true, text: ({ tokens }) => COUNT.format(tokens) },
  {
    name: "ERRORS",
    isNumber: true,
    text: ({ errors }) => (errors === undefined ? "-" : COUNT.format(errors)),
  },
  { name: "COST", isNumber: true, text: ({ cost }) => costText(cost) },
  { name: "SESSION", text: ({ tenantId, sessionId }) => `${tenantId}/${sessionId}` },
];

/**
 * Sessions as a table, a line each, with its title last. What is not known is `-`.
 *
 * @param width of the terminal, in characters; titles are cut to it
 */
export function sessionTable(sessions: readonly InspectorSessionItem[], width = WIDTH): string {
  const rows = sessions.map((session) => COLUMNS.map(({ text }) => plainText(text(session))));
  const widths = COLUMNS.map(({ name }, i) =>
    rows.reduce((widest, row) => Math.max(widest, row[i]!.length), name.length),
  );
  const inColumns = (row: readonly string[]) =>
    row
      .map((text, i) => (COLUMNS[i]!.isNumber ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
      .join("  ");
  const left = width - inColumns([...widths.map(() => "")]).length - 2;
  const titles = sessions.map((session) => shortTitle(session, Math.max(NARROWEST_TITLE, left)));
  const header = `${inColumns(COLUMNS.map(({ name }) => name))}  TITLE`;
  return [header, ...rows.map((row, i) => `${inColumns(row)}  ${titles[i]}`)]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** A `+` says that some of it has no known price. */
function costText(cost: Cost | undefined): string {
  if (cost === undefined || (cost.usd === 0 && cost.unpricedCalls > 0)) return "-";
  const dollars = cost.usd > 0 && cost.usd < 0.01 ? "<$0.01" : `$${DOLLARS.format(cost.usd)}`;
  return cost.unpricedCalls > 0 ? `${dollars}+` : dollars;
}

function shortTitle({ title, prompt }: InspectorSessionItem, width: number): string {
  const text = plainText((title ?? prompt ?? "-").replace(/\s+/g, " "));
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}

/** To the minute, where the reader is; as it is where it is none. */
function localInstant(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return instant;
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
