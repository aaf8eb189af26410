import { ENTRY_NAME, type SetupLocation } from "./mcp-setup-places.js";
import { type TomlStatement, tomlStatements } from "./toml-statements.js";
import { UnreadableSettingsError } from "./unreadable-settings-error.js";

/** Other programs that rewrite the file may put tables between these lines. */
const BEGIN =
  '# agent-inspector begin: "agent-inspector mcp --setup codex" wrote this table, and --undo removes it';
const END = "# agent-inspector end";

type Range = readonly [from: number, to: number];

export function tomlEntry(text: string, { within }: SetupLocation): string | undefined {
  const ranges = ownRanges(text, tomlStatements(text), [...within, ENTRY_NAME]);
  return ranges?.map(([from, to]) => text.slice(from, to)).join("");
}

/**
 * Appends the table. The rest stays byte for byte.
 * @throws UnreadableSettingsError for a text that is not TOML, or defines the server outside of our lines
 */
export function withTomlEntry(text: string, location: SetupLocation): string {
  const rest = withoutTomlEntry(text, location);
  refuseClosed(tomlStatements(rest), location.within);
  // Always one line break, so that withoutTomlEntry can restore the end.
  return `${rest}${lineEnding(rest)}${tomlFile(location, lineEnding(rest))}`;
}

/**
 * Without other changes, the text is as before, byte for byte.
 * @throws UnreadableSettingsError for a text that is not TOML, or defines the server outside of our lines
 */
export function withoutTomlEntry(text: string, { within }: SetupLocation): string {
  const name = [...within, ENTRY_NAME];
  const rest = cut(text, ownRanges(text, tomlStatements(text), name));
  if (tomlStatements(rest).some(({ path }) => startsWith(path, name)))
    throw new UnreadableSettingsError(`it has a table ${name.join(".")} that this command did not write`);
  return rest;
}

export function tomlFile({ within, entry }: SetupLocation, ending = "\n"): string {
  const keys = Object.entries(entry).map(([name, value]) => `${name} = ${tomlValue(value)}`);
  const lines = [BEGIN, `[${[...within, ENTRY_NAME].join(".")}]`, ...keys, END];
  return lines.map((line) => line + ending).join("");
}

/** @throws UnreadableSettingsError if an appended table would clash with the file */
function refuseClosed(statements: readonly TomlStatement[], within: readonly string[]): void {
  const isClosed = ({ kind, path }: TomlStatement) =>
    (kind === "key" || kind === "tables") && startsWith(within, path);
  if (statements.some(isClosed))
    throw new UnreadableSettingsError(`its "${within.join(".")}" takes no further tables`);
}

function ownRanges(
  text: string,
  statements: readonly TomlStatement[],
  name: readonly string[],
): readonly [table: Range, end: Range] | undefined {
  const linesLike = (line: string) =>
    statements.filter(({ kind, from, to }) => kind === "comment" && text.slice(from, to).trimEnd() === line);
  const [begins, ends] = [linesLike(BEGIN), linesLike(END)];
  if (begins.length === 0 && ends.length === 0) return undefined;
  const [begin, end] = [begins[0], ends[0]];
  const inside = statements.filter(({ from }) => from > (begin?.from ?? 0) && from < (end?.from ?? 0));
  const others = inside.findIndex(({ kind, path }) => kind !== "comment" && !startsWith(path, name));
  const own = inside.slice(0, others < 0 ? undefined : others).filter(({ kind }) => kind !== "comment");
  if (begins.length !== 1 || ends.length !== 1 || own[0]?.kind !== "table")
    throw new UnreadableSettingsError(`its lines "${BEGIN}" and "${END}" do not surround one table`);
  return [
    [begin!.from, own.at(-1)!.to],
    [end!.from, end!.to],
  ];
}

function cut(text: string, ranges: ReturnType<typeof ownRanges>): string {
  if (ranges === undefined) return text;
  const [[from, to], [endFrom, endTo]] = ranges;
  return text.slice(0, from).replace(/\r?\n$/, "") + text.slice(to, endFrom) + text.slice(endTo);
}

/** Strings of JSON are strings of TOML, apart from one character that TOML requires to be escaped. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((part, i) => path[i] === part);
}

function lineEnding(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
