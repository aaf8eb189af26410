import { type JsonList, recordsOf } from "../../application/questions/json-list.js";
import { hasNoCounts, type InspectorSessionItem } from "../../domain/session/session.js";
import { COUNT, countText } from "../../domain/text/figure-texts.js";
import { visibleJson, visibleText } from "../../domain/text/visible-text.js";
import { plausibleTime } from "../../domain/trace/instant.js";
import { checkFilter } from "./filter-option.js";
import { type HistoriesOptions, listOf, withHistories } from "./histories.js";
import type { CommandContext } from "./parts.js";
import { print, type Terminal } from "./terminal.js";
import { dollarsText, inColumns, NO_COUNTS } from "./text.js";

export interface ListCommandOptions extends HistoriesOptions {
  readonly tenant?: string | undefined;
  /** Only sessions that it means. */
  readonly filter?: string | undefined;
  /** How many sessions at most. Default is all in JSON, {@link ROWS} in a table. */
  readonly limit?: number | undefined;
}

const ROWS = 20;

/**
 * Prints the sessions, newest first: as a table, or as the JSON document that the HTTP API answers.
 *
 * @throws CommandLineError where the histories cannot be read
 */
export async function listHistories(
  context: CommandContext,
  paths: readonly string[],
  options: ListCommandOptions,
): Promise<void> {
  const { json = false, tenant, filter, limit = json ? undefined : ROWS } = options;
  checkFilter(filter);
  await withHistories(context, paths, options, async (useCases, signal) => {
    const list = await listOf(useCases, { tenantId: tenant, filter, window: { limit } }, signal);
    await (json ? printJson : printTable)(context.terminal, list, signal, filter !== undefined);
  });
}

const decoder = new TextDecoder();

/** The answer of `GET /sessions`, without a cursor: there is nothing to hand it to. */
async function printJson(
  terminal: Terminal,
  { texts, warnings, counts }: JsonList,
  signal: AbortSignal,
): Promise<void> {
  let before = '{"sessions":[\n';
  for await (const text of texts) {
    await print(terminal, before + visibleJson(decoder.decode(text)), signal);
    before = ",\n";
  }
  const rest = { ...counts, ...(warnings.length > 0 && { warnings }) };
  const members = JSON.stringify(rest).slice(1, -1);
  const opening = before === ",\n" ? "\n" : before;
  await print(terminal, `${opening}]${members === "" ? "" : `,${visibleJson(members)}`}}\n`, signal);
}

async function printTable(
  terminal: Terminal,
  list: JsonList,
  signal: AbortSignal,
  isFiltered: boolean,
): Promise<void> {
  const { stdout, stderr } = terminal;
  const sessions = await recordsOf<InspectorSessionItem>(list);
  for (const { file, line, reason } of list.warnings) {
    stderr.write(`${visibleText(`${file}, line ${line}, ${reason}`)}\n`);
  }
  const none = isFiltered ? "The filter means no session.\n" : "There are no sessions.\n";
  if (sessions.length === 0) stderr.write(none);
  else await print(terminal, sessionTable(sessions, stdout.columns), signal);
  if (sessions.some(hasNoCounts)) stderr.write(`Tokens -: ${NO_COUNTS}.\n`);
  const { undecided = 0, total = 0 } = list.counts ?? {};
  if (undecided > 0)
    stderr.write(
      `${countText(undecided, "session")} left out: it is not known whether the filter means them.\n`,
    );
  if (isFiltered && list.nextCursor != null)
    stderr.write(`The newest ${sessions.length} that the filter means. ${MORE}\n`);
  else if (!isFiltered && total > sessions.length)
    stderr.write(`${sessions.length} of ${total} sessions. ${MORE}\n`);
}

const MORE = "More with --limit; all of them with --json.";

/** Of a file or a pipe, which have no width. */
const WIDTH = 160;

/** Narrower than that, a title says nothing. */
const NARROWEST_TITLE = 16;

interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly text: (session: InspectorSessionItem) => string;
}

const COLUMNS: readonly Column[] = [
  { name: "LAST ACTIVE", text: ({ lastActive }) => localInstant(lastActive) },
  { name: "STATUS", text: ({ status }) => status },
  { name: "TURNS", isNumber: true, text: ({ turns }) => COUNT.format(turns) },
  {
    name: "TOKENS",
    isNumber: true,
    text: (session) => (hasNoCounts(session) ? "-" : COUNT.format(session.tokens)),
  },
  {
    name: "ERRORS",
    isNumber: true,
    text: ({ errors }) => (errors === undefined ? "-" : COUNT.format(errors)),
  },
  { name: "COST", isNumber: true, text: ({ cost }) => dollarsText(cost) },
  { name: "SESSION", text: ({ tenantId, sessionId }) => `${tenantId}/${sessionId}` },
];

/**
 * Sessions as a table, a line each, with its title last. What is not known is `-`.
 *
 * @param width of the terminal, in characters; titles are cut to it
 */
export function sessionTable(sessions: readonly InspectorSessionItem[], width = WIDTH): string {
  const rows = sessions.map((session) => COLUMNS.map(({ text }) => visibleText(text(session))));
  const header = COLUMNS.map(({ name }) => name);
  const lines = inColumns([header, ...rows], (column) => COLUMNS[column]!.isNumber === true);
  const left = Math.max(NARROWEST_TITLE, width - lines[0]!.length - 2);
  const titles = ["TITLE", ...sessions.map((session) => shortTitle(session, left))];
  return lines.map((line, i) => `${`${line}  ${titles[i]}`.trimEnd()}\n`).join("");
}

function shortTitle({ title, prompt }: InspectorSessionItem, width: number): string {
  const text = visibleText((title ?? prompt ?? "-").replace(/\s+/g, " "));
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}

/** To the minute, in the reader's zone; a text that is no instant stays as it is. */
function localInstant(text: string): string {
  if (plausibleTime(text) === undefined) return "-";
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
