import type { JsonList } from "../../application/questions/json-list.js";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import { print } from "./print.js";
import { sessionTable } from "./session-table.js";
import { plainJson, plainText } from "./terminal-text.js";
import { type HistoriesOptions, type OpenHistories, withHistories } from "./with-histories.js";

export interface ListOptions extends HistoriesOptions {
  /** Whether one JSON document is printed. */
  readonly json?: boolean | undefined;
  readonly tenant?: string | undefined;
  /** How many sessions at most. Default is all in JSON, {@link ROWS} in a table. */
  readonly limit?: number | undefined;
}

const ROWS = 20;

/**
 * Prints the sessions, newest first: as a table, or as the JSON document that the HTTP API answers. It ends as soon as nobody reads what it
 * prints any more.
 *
 * @throws CommandLineError where the histories cannot be read
 */
export async function listHistories(
  open: OpenHistories,
  { json = false, tenant, ...options }: ListOptions,
): Promise<void> {
  const limit = options.limit ?? (json ? undefined : ROWS);
  await withHistories(open, options, async ({ listSessions }, signal) => {
    const list = await listSessions.execute({ tenantId: tenant, window: { limit } }, { signal });
    if (list.isUnchanged) throw new TypeError("The list is unchanged for a caller that has none.");
    await (json ? printJson(list, signal) : printTable(list, signal));
  });
}

const decoder = new TextDecoder();

/** The answer of `GET /sessions`, without a cursor: there is nothing to hand it to. */
async function printJson({ texts, warnings, counts }: JsonList, signal: AbortSignal): Promise<void> {
  let before = '{"sessions":[\n';
  for await (const text of texts) {
    await print(before + plainJson(decoder.decode(text)), signal);
    before = ",\n";
  }
  const rest = { ...counts, ...(warnings.length > 0 && { warnings }) };
  const members = JSON.stringify(rest).slice(1, -1);
  const opening = before === ",\n" ? "\n" : before;
  await print(`${opening}]${members === "" ? "" : `,${plainJson(members)}`}}\n`, signal);
}

async function printTable({ texts, warnings, counts }: JsonList, signal: AbortSignal): Promise<void> {
  const sessions: InspectorSessionItem[] = [];
  for await (const text of texts)
    sessions.push(...(JSON.parse(`[${decoder.decode(text)}]`) as typeof sessions));
  for (const { file, line, reason } of warnings) {
    process.stderr.write(`${plainText(`${file}, line ${line}, ${reason}`)}\n`);
  }
  if (sessions.length === 0) process.stderr.write("There are no sessions.\n");
  else await print(sessionTable(sessions, process.stdout.columns), signal);
  if (counts?.total !== undefined && counts.total > sessions.length) {
    process.stderr.write(
      `${sessions.length} of ${counts.total} sessions. More with --limit; all of them with --json.\n`,
    );
  }
}
