import type {
  GoneSession,
  SourceProblem,
  SourceReport,
  UnknownRecords,
  WriterVersion,
} from "../../../domain/session/source-report.js";
import { formatBytes, formatCount } from "../../../domain/text/figures.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { sessionName } from "./session-names.js";

const MOST_ROWS = 5;

const TITLE = 72;

export type NamedReport = Omit<SourceReport, "name" | "path"> & {
  readonly name: string;
  readonly path: string | undefined;
};

export function sourcesText(sources: readonly NamedReport[], isColoured: boolean): string {
  if (sources.length === 0) return "No sources.\n";
  const mark = (line: string) => (isColoured ? `\u001b[33m${line}\u001b[39m` : line);
  return sources
    .map((source) => {
      const heading = [source.name, source.path].filter((text) => text !== undefined).join("  ");
      const lines = linesOf(source).map(({ text, isMarked }) => {
        const line = `  ${visibleText(text).trimEnd()}`;
        return isMarked ? mark(line) : line;
      });
      return [visibleText(heading), ...lines].map((line) => `${line}\n`).join("");
    })
    .join("\n");
}

interface TextLine {
  readonly text: string;
  readonly isMarked?: boolean;
}

function linesOf(source: NamedReport): TextLine[] {
  if (source.failure !== undefined) return [{ text: source.failure, isMarked: true }];
  return [
    { text: extentOf(source) },
    ...unreadLines(source),
    ...versionLines(source),
    ...unknownLines(source),
    ...problemLines(source),
    ...retentionLines(source),
    ...goneLines(source),
  ];
}

function extentOf({ sessions = 0, files, bytes, oldest, newest }: NamedReport): string {
  const parts = [
    formatCount(sessions, "session"),
    files === undefined ? undefined : formatCount(files, "file"),
    bytes === undefined ? undefined : formatBytes(bytes),
    oldest === undefined || newest === undefined ? undefined : `${day(oldest)} to ${day(newest)}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

function unreadLines({ unread }: NamedReport): TextLine[] {
  if (unread === 0) return [];
  return [
    {
      text: `${formatCount(unread, "session")} not completely read: the next lines describe the others`,
      isMarked: true,
    },
  ];
}

function versionLines({ versions, verified }: NamedReport): TextLine[] {
  const newer = versions.filter(({ isNewer }) => isNewer);
  const others = versions.filter(({ isNewer }) => !isNewer);
  const lines: TextLine[] = [];
  if (newer.length > 0)
    lines.push({ text: `Written by ${listed(newer)}, newer than verified (${verified})`, isMarked: true });
  if (others.length > 0) {
    const upTo = verified === undefined || newer.length > 0 ? "" : `, verified up to ${verified}`;
    lines.push({ text: `Written by ${listed(others)}${upTo}` });
  }
  return lines;
}

function listed(versions: readonly WriterVersion[]): string {
  const named = versions.slice(0, MOST_ROWS).map(({ version, sessions }) => `${version} (${sessions})`);
  const rest = versions.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function unknownLines({ unknownRecords, unknownRecordCount }: NamedReport): TextLine[] {
  if (unknownRecordCount === 0) return [];
  const text = `${formatCount(unknownRecordCount, "record")} of unknown types, displayed as recorded:`;
  const rows = unknownRecords.slice(0, MOST_ROWS).map(unknownText);
  return [{ text, isMarked: true }, ...rest(rows, unknownRecords.length, "type")];
}

function unknownText({ type, records, example }: UnknownRecords): string {
  return `${type}: ${formatCount(records)}, as in ${sessionName(example)}`;
}

function problemLines({ problems, problemCount }: NamedReport): TextLine[] {
  if (problemCount === 0) return [];
  const text = "Read problems:";
  const rows = problems.slice(0, MOST_ROWS).map(problemText);
  return [{ text, isMarked: true }, ...rest(rows, problemCount, "place")];
}

function problemText({ reason, count, session, file, line }: SourceProblem): string {
  const places = [
    session && sessionName(session),
    file && `${file}${line === undefined ? "" : `, line ${line}`}`,
  ];
  const times = count > 1 ? ` (${formatCount(count)} times)` : "";
  return `${places.filter((place) => place !== undefined).join(": ")}: ${reason}${times}`;
}

function retentionLines({ name, retention }: NamedReport): TextLine[] {
  if (retention === undefined) return [];
  const { rule, days, statedIn, due } = retention;
  const where = statedIn === undefined ? "" : ` (${statedIn})`;
  if (rule === "keeps") return [{ text: `${name} deletes nothing by itself${where}` }];
  if (days === undefined)
    return [{ text: `The age at which ${name} deletes sessions is unknown${where}`, isMarked: true }];
  const text = `${name} deletes sessions that have not been changed for ${formatCount(days, "day")}${where}`;
  if (due === undefined || due.sessions === 0) return [{ text: `${text}; no session is due` }];
  const first = due.first === undefined ? "" : `, the first on ${day(due.first)} or when it starts next`;
  return [
    { text },
    {
      text: `${formatCount(due.sessions, "session")} (${formatBytes(due.bytes)}) will be deleted by ${name} within ${formatCount(due.withinDays, "day")}${first}`,
      isMarked: true,
    },
    { text: "Keep them: agent-inspector keep --to DIR" },
  ];
}

function goneLines({ gone, goneCount }: NamedReport): TextLine[] {
  if (goneCount === 0) return [];
  const text = `${formatCount(goneCount, "session")} named by an index no longer ${goneCount === 1 ? "exists" : "exist"}:`;
  const rows = gone.slice(0, MOST_ROWS).map(goneText);
  return [{ text, isMarked: true }, ...rest(rows, goneCount, "session")];
}

function goneText({ tenantId, sessionId, lastActive, title = "", namedIn }: GoneSession): string {
  const name = tenantId === undefined ? sessionId : sessionName({ tenantId, sessionId });
  const time = plausibleTime(lastActive);
  const when = time === undefined ? "" : `${day(time)}  `;
  return `${when}${name}  ${title.replace(/\s+/g, " ").slice(0, TITLE)} (${namedIn})`;
}

function rest(rows: readonly string[], count: number, what: string): TextLine[] {
  const more = count - rows.length;
  const all = more > 0 ? [...rows, `and ${formatCount(more, what)} more, with --json`] : rows;
  return all.map((row) => ({ text: `  ${row}` }));
}

function day(instant: string): string {
  return instant.slice(0, 10);
}
