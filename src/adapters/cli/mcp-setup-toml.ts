import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { UnreadableSettingsError } from "./mcp-setup-json.js";
import { ENTRY_NAME, type SetupPlace } from "./mcp-setup-places.js";

type Table = Record<string, unknown>;

/** The entry as it is; `undefined` where there is none. */
export function tomlEntry(text: string, { within }: SetupPlace): unknown {
  return tableAt(read(text), within)?.[ENTRY_NAME];
}

/**
 * The text with the table of the entry: behind all others, or in the place of that of its name. All else stays as it is, which is checked by
 * reading the text before and after.
 *
 * @throws UnreadableSettingsError for a text that is no TOML, or that says the entry in another way than by a table of its own
 */
export function withTomlEntry(text: string, place: SetupPlace): string {
  const before = read(text);
  const { within, entry } = place;
  const known = tableAt(before, within)?.[ENTRY_NAME];
  if (isDeepStrictEqual(known, entry)) return text;
  const lines = tableLines(place, lineEnding(text));
  if (known !== undefined) {
    const replaced = tableRanges(text, place, false).map(
      ({ from, to }) => text.slice(0, from) + lines + text.slice(to),
    );
    return onlyEntry(before, replaced, place, { ...subTables(known), ...entry });
  }
  // One line ending before it, whatever the text ends with, so that it can be told what that was.
  return onlyEntry(before, [`${text}${lineEnding(text)}${lines}`], place, entry);
}

/** The text without the entry, with the tables in it: byte for byte what it was before, where nothing else was changed since. */
export function withoutTomlEntry(text: string, place: SetupPlace): string {
  const before = read(text);
  const known = tableAt(before, place.within)?.[ENTRY_NAME];
  if (known === undefined) return text;
  const own = { ...place, entry: known as Table };
  const texts = tableRanges(text, place, true).flatMap(({ from, to }) => {
    const [head, tail] = [text.slice(0, from), text.slice(to)];
    const exact = head.replace(/\r?\n$/, "") + tail;
    return [...(isBefore(exact, text, own) ? [exact] : []), head + tail];
  });
  return onlyEntry(before, texts, place, undefined);
}

/** A file that this made is the table alone. */
export function tomlFile(place: SetupPlace): string {
  return tableLines(place, "\n");
}

function isBefore(before: string, after: string, place: SetupPlace): boolean {
  return holdsOf(() => withTomlEntry(before, place) === after);
}

/** Whether something holds of a text that may be no TOML at all. */
function holdsOf(holds: () => boolean): boolean {
  try {
    return holds();
  } catch (error) {
    if (error instanceof UnreadableSettingsError) return false;
    throw error;
  }
}

/**
 * The first of some texts in which nothing but the entry reads otherwise than before.
 *
 * @param entry `undefined` where it is to be gone
 */
function onlyEntry(before: Table, texts: readonly string[], { within }: SetupPlace, entry: unknown): string {
  const wanted = structuredClone(before);
  let holder = wanted;
  for (const name of within) {
    holder[name] ??= {};
    holder = holder[name] as Table;
  }
  if (entry === undefined) delete holder[ENTRY_NAME];
  else holder[ENTRY_NAME] = entry;
  const said = comparable(wanted, within);
  const saysIt = (text: string) => isDeepStrictEqual(comparable(read(text), within), said);
  const found = texts.find((text) => holdsOf(() => saysIt(text)));
  if (found === undefined) throw new UnreadableSettingsError(OTHERWISE);
  return found;
}

/** A table that holds nothing is as good as none. */
function comparable(root: Table, within: readonly string[]): unknown {
  const holder = tableAt(root, within);
  const isEmpty = holder !== undefined && Object.keys(holder).length === 0;
  const { [within[0]!]: _, ...others } = root;
  return plain(isEmpty ? others : root);
}

const OTHERWISE = `it says the server ${ENTRY_NAME} in a way that cannot be changed line by line`;

function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one)),
  );
}

function read(text: string): Table {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" }) as Table;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new UnreadableSettingsError(`line ${error.line} is no TOML`);
  }
}

function tableAt(root: Table, within: readonly string[]): Table | undefined {
  let table: unknown = root;
  for (const name of within) table = isTable(table) ? table[name] : undefined;
  return isTable(table) ? table : undefined;
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function subTables(known: unknown): Table {
  return isTable(known)
    ? Object.fromEntries(Object.entries(known).filter(([, value]) => isTable(value)))
    : {};
}

function tableLines({ within, entry }: SetupPlace, ending: string): string {
  const text = stringify({ [within[0]!]: { [ENTRY_NAME]: entry } });
  return `${text.trim().split("\n").join(ending)}${ending}`;
}

/**
 * The lines of the entry's table, to the next header; with those of the tables in it, where these go on from there. A text in several lines
 * may have lines that look like its header: each is a range.
 */
function tableRanges(
  text: string,
  { within }: SetupPlace,
  withSubTables: boolean,
): readonly { readonly from: number; readonly to: number }[] {
  const name = [within[0]!, ENTRY_NAME]
    .map((one) => `(?:${one}|"${one}"|'${one}')`)
    .join("[ \\t]*\\.[ \\t]*");
  const isSub = new RegExp(`^[ \\t]*\\[[ \\t]*${name}[ \\t]*\\.`);
  const headers = text.matchAll(new RegExp(`^[ \\t]*\\[[ \\t]*${name}[ \\t]*\\]`, "gm"));
  return [...headers].map(({ index: from, 0: { length } }) => {
    const others = [...text.slice(from + length).matchAll(/^[ \t]*\[.*$/gm)];
    const next = others.find(([header]) => !(withSubTables && isSub.test(header)));
    if (next === undefined) return { from, to: text.length };
    // Comments and empty lines before the next header are of that one.
    const lines = text.slice(from, from + length + next.index).split(/(?<=\n)/);
    while (lines.length > 1 && /^[ \t]*(?:#.*)?\r?\n?$/.test(lines.at(-1)!)) lines.pop();
    return { from, to: from + lines.join("").length };
  });
}

function lineEnding(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
