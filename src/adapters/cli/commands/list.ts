import { type JsonList, recordsOf } from "../../../application/questions/json-list.js";
import {
  hasNoCounts,
  type InspectorSessionItem,
  STATE_WORDS,
  stateOf,
} from "../../../domain/session/session.js";

import { ABSENT, formatCost, formatCount, formatTokens } from "../../../domain/text/figures.js";
import { visibleJson, visibleText } from "../../../domain/text/visible-text.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { tenantQuery } from "../opening/find-session.js";
import { type HistoriesOptions, listOf, withHistories } from "../opening/histories.js";
import type { CommandContext } from "../opening/parts.js";
import { cutName, sessionName } from "../text/session-names.js";
import { inColumns, type TableColumn } from "../text/table.js";
import { NOTHING_MATCHED, print, type Terminal } from "../text/terminal.js";
import { NO_COUNTS, warningText } from "../text/text.js";
import { checkFilter } from "./filter-option.js";

export interface ListCommandOptions extends HistoriesOptions {
  readonly tenant?: string | undefined;
  readonly filter?: string | undefined;
  readonly limit?: number | undefined;
}

const ROWS = 20;
const ALL = Number.POSITIVE_INFINITY;

/**
 * Prints the newest first; JSON is the document of the HTTP API.
 * @returns the exit code
 * @throws CommandLineError if the histories cannot be read
 */
export async function listHistories(
  context: CommandContext,
  paths: readonly string[],
  options: ListCommandOptions,
): Promise<number> {
  const { json = false, tenant, filter, limit = json ? ALL : ROWS } = options;
  checkFilter(filter);
  return withHistories(context, paths, options, async (useCases, signal) => {
    const query = await tenantQuery(useCases, tenant, filter, signal);
    const window = { limit: limit === ALL ? undefined : limit };
    const list = await listOf(useCases, { ...query, window }, signal);
    const hasSessions = json
      ? await printJson(context.terminal, list, signal)
      : await printTable(context.terminal, list, signal, query.filter !== undefined);
    return hasSessions ? 0 : NOTHING_MATCHED;
  });
}

const decoder = new TextDecoder();

async function printJson(
  terminal: Terminal,
  { texts, warnings, counts }: JsonList,
  signal: AbortSignal,
): Promise<boolean> {
  let before = '{"sessions":[\n';
  for await (const text of texts) {
    await print(terminal, before + visibleJson(decoder.decode(text)), signal);
    before = ",\n";
  }
  const rest = { ...counts, ...(warnings.length > 0 && { warnings }) };
  const members = JSON.stringify(rest).slice(1, -1);
  const hasSessions = before === ",\n";
  const opening = hasSessions ? "\n" : before;
  await print(terminal, `${opening}]${members === "" ? "" : `,${visibleJson(members)}`}}\n`, signal);
  return hasSessions;
}

async function printTable(
  terminal: Terminal,
  list: JsonList,
  signal: AbortSignal,
  isFiltered: boolean,
): Promise<boolean> {
  const { stdout, stderr } = terminal;
  const sessions = await recordsOf<InspectorSessionItem>(list);
  for (const warning of list.warnings) stderr.write(`${warningText(warning)}\n`);
  const none = isFiltered ? "No session matches the filter.\n" : "There are no sessions.\n";
  if (sessions.length === 0) stderr.write(none);
  else await print(terminal, sessionTable(sessions, stdout.columns), signal);
  if (sessions.some(hasNoCounts)) stderr.write(`Tokens ${ABSENT}: ${NO_COUNTS}.\n`);
  const { undecided = 0, total = 0 } = list.counts ?? {};
  if (undecided > 0)
    stderr.write(
      `${formatCount(undecided, "session")} skipped: too little is recorded to apply the filter.\n`,
    );
  if (isFiltered && list.nextCursor != null)
    stderr.write(`The newest ${sessions.length} sessions that match. ${MORE}\n`);
  else if (!isFiltered && total > sessions.length)
    stderr.write(`${sessions.length} of ${total} sessions. ${MORE}\n`);
  return sessions.length > 0;
}

const MORE = "--limit all prints all of them.";

interface Column extends TableColumn {
  readonly name: string;
  readonly textOf: (session: InspectorSessionItem) => string;
}

const COLUMNS: readonly Column[] = [
  { name: "LAST ACTIVE", drop: 2, textOf: ({ lastActive }) => localInstant(lastActive) },
  { name: "STATUS", drop: 4, textOf: (session) => STATE_WORDS[stateOf(session).kind] },
  { name: "TURNS", drop: 6, isNumber: true, textOf: ({ turns }) => formatCount(turns) },
  {
    name: "TOKENS",
    drop: 5,
    isNumber: true,
    textOf: (session) => (hasNoCounts(session) ? ABSENT : formatTokens(session.tokens)),
  },
  {
    name: "ERRORS",
    drop: 7,
    isNumber: true,
    textOf: ({ errors }) => (errors === undefined ? ABSENT : formatCount(errors)),
  },
  {
    name: "COST",
    drop: 3,
    isNumber: true,
    textOf: ({ cost }) => (cost === undefined ? ABSENT : formatCost(cost)),
  },
  { name: "SESSION", least: 20, cut: cutName, textOf: sessionName },
  {
    name: "TITLE",
    least: 16,
    drop: 1,
    textOf: ({ title, prompt }) => (title ?? prompt ?? ABSENT).replace(/\s+/g, " "),
  },
];

/**
 * A missing value is {@link ABSENT}.
 * @param width of the terminal: it cuts names and titles, and drops columns. Default is unlimited
 */
export function sessionTable(sessions: readonly InspectorSessionItem[], width?: number): string {
  const rows = sessions.map((session) => COLUMNS.map(({ textOf }) => visibleText(textOf(session))));
  const lines = inColumns([COLUMNS.map(({ name }) => name), ...rows], COLUMNS, width);
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function localInstant(text: string): string {
  if (plausibleTime(text) === undefined) return ABSENT;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
