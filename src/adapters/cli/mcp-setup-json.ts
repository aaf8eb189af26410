import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { ENTRY_NAME, type SetupPlace } from "./mcp-setup-places.js";

/** The text of settings that cannot be changed: what is wrong with it. */
export class UnreadableSettingsError extends Error {
  override readonly name = "UnreadableSettingsError";
}

/** The entry as it is; `undefined` where there is none. */
export function jsonEntry(text: string, place: SetupPlace): unknown {
  const node = entryNode(readTree(text), place);
  return node && plainValue(node);
}

/**
 * The text with the entry in it. All else of it stays as it is: comments, order, indentation, line endings.
 *
 * @throws UnreadableSettingsError for a text that is no such settings
 */
export function withJsonEntry(text: string, { within: names, entry, ...place }: SetupPlace): string {
  const root = readTree(text);
  const within = holdersIn(root, names);
  const known = entryNode(root, { ...place, within: names, entry });
  if (known !== undefined) {
    if (isDeepStrictEqual(plainValue(known), entry)) return text;
    return `${text.slice(0, known.offset)}${valueText(text, entry, indentAt(text, known.offset))}${text.slice(known.offset + known.length)}`;
  }
  const holder = findNodeAtLocation(root, [...within]);
  if (holder === undefined) return withMember(text, root, within[0]!, { [ENTRY_NAME]: entry });
  if (holder.type !== "object")
    throw new UnreadableSettingsError(`its member ${within.join(".")} is no object`);
  refuseDoubles(holder);
  return withMember(text, holder, ENTRY_NAME, entry);
}

/**
 * The text without the entry: byte for byte what it was before, where nothing else was changed since.
 */
export function withoutJsonEntry(text: string, place: SetupPlace): string {
  const root = readTree(text);
  const node = entryNode(root, place);
  if (node === undefined) return text;
  const own = { ...place, entry: plainValue(node) as SetupPlace["entry"] };
  const holder = node.parent!.parent!;
  const exact = [
    ...withoutMember(text, node.parent!),
    ...(holder === root ? [] : withoutMember(text, holder.parent!)),
  ].find((before) => isBefore(before, text, own));
  if (exact !== undefined) return exact;
  return applyEdits(text, modify(text, [...holdersIn(root, place.within), ENTRY_NAME], undefined, {}));
}

/** As `JSON.parse` gives it: the package's objects have no prototype. */
function plainValue(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

function isBefore(before: string, after: string, place: SetupPlace): boolean {
  try {
    return withJsonEntry(before, place) === after;
  } catch (error) {
    if (error instanceof UnreadableSettingsError) return false;
    throw error;
  }
}

/** OpenCode 2 has its servers one level deeper; where a file has them so, it stays so. */
function holdersIn(root: Node, within: readonly string[]): readonly string[] {
  const servers = within[0] === "mcp" ? findNodeAtLocation(root, ["mcp", "servers"]) : undefined;
  const isMap = servers?.type === "object" && findNodeAtLocation(servers, ["type"]) === undefined;
  return isMap ? [...within, "servers"] : within;
}

function entryNode(root: Node, { within }: SetupPlace): Node | undefined {
  return findNodeAtLocation(root, [...holdersIn(root, within), ENTRY_NAME]);
}

function readTree(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw new UnreadableSettingsError(`line ${line} is no JSON (${printParseErrorCode(error.error)})`);
  }
  if (root?.type !== "object") throw new UnreadableSettingsError("it holds no JSON object");
  refuseDoubles(root);
  return root;
}

/** Readers differ about which of two members of one name is meant. */
function refuseDoubles({ children = [] }: Node): void {
  const names = children.map((member) => member.children![0]!.value as string);
  if (new Set(names).size < names.length) throw new UnreadableSettingsError("it has two members of one name");
}

/** A file that this made. */
export function jsonFile({ within, entry }: SetupPlace): string {
  return `${JSON.stringify({ [within[0]!]: { [ENTRY_NAME]: entry } }, null, 2)}\n`;
}

/** A member behind all others of an object. */
function withMember(text: string, object: Node, name: string, value: unknown): string {
  const members = object.children ?? [];
  const last = members.at(-1);
  if (last === undefined) return withFirstMember(text, object, name, value);
  const end = last.offset + last.length;
  const isOwnLine = /^[ \t]*$/.test(lineStart(text, last.offset));
  const comma = trailingComma(text, object, end);
  if (!isOwnLine) {
    const at = comma ?? end;
    const member = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    return insert(text, [[at, comma === undefined ? `, ${member}` : ` ${member},`]]);
  }
  const indent = lineStart(text, last.offset);
  const member = `${lineEnding(text)}${indent}${memberText(text, name, value, indent)}`;
  // A comment behind the last member stays with it.
  const behind = (from: number) =>
    from + /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?/.exec(text.slice(from))![0].trimEnd().length;
  if (comma !== undefined) return insert(text, [[behind(comma), `${member},`]]);
  return insert(text, [
    [end, ","],
    [behind(end), member],
  ]);
}

/**
 * In an object without members, on the line of its brace: so that it can be told again what was in it. Two spaces say that it held white
 * space.
 */
function withFirstMember(text: string, object: Node, name: string, value: unknown): string {
  const at = object.offset + 1;
  const inside = text.slice(at, object.offset + object.length - 1);
  const member = memberText(text, name, value, indentAt(text, object.offset));
  const inserted = inside === "" ? ` ${member} ` : /^[ \t]/.test(inside) ? `  ${member}` : ` ${member}`;
  return insert(text, [[at, inserted]]);
}

/** What a text may have been before a member was added to it. */
function withoutMember(text: string, member: Node): string[] {
  const object = member.parent!;
  const members = object.children!;
  const end = member.offset + member.length;
  const cut = (from: number, to: number) => text.slice(0, from) + text.slice(to);
  if (members.length === 1) {
    const open = object.offset + 1;
    return [cut(open, end), cut(open, end + 1)];
  }
  if (members.at(-1) !== member) return [];
  const before = members.at(-2)!;
  const beforeEnd = before.offset + before.length;
  const lead = /(?:\r?\n[ \t]*| )$/.exec(text.slice(0, member.offset))?.[0] ?? "";
  const from = member.offset - lead.length;
  const comma = text[beforeEnd] === "," ? beforeEnd : undefined;
  const withComma = cut(from, text[end] === "," ? end + 1 : end);
  return [
    ...(comma === undefined ? [] : [withComma.slice(0, comma) + withComma.slice(comma + 1)]),
    withComma,
  ];
}

/** Behind the comma that follows the last member, where one does. */
function trailingComma(text: string, object: Node, end: number): number | undefined {
  const rest = text.slice(end, object.offset + object.length - 1);
  const comma = /^(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*,/.exec(rest);
  return comma === null ? undefined : end + comma[0].length;
}

function memberText(text: string, name: string, value: unknown, indent: string): string {
  return `${JSON.stringify(name)}: ${valueText(text, value, indent)}`;
}

function valueText(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `${lineEnding(text)}${indent}`);
}

/** How far the file indents: as far as its first line that is indented. */
function unitOf(text: string): string {
  return /^([ \t]+)["}]/m.exec(text)?.[1] ?? "  ";
}

function lineEnding(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function lineStart(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(lineStart(text, at))![0];
}

/** @param inserted in the order of their places */
function insert(text: string, inserted: readonly (readonly [at: number, text: string])[]): string {
  return applyEdits(
    text,
    inserted.map(([offset, content]): Edit => ({ offset, length: 0, content })),
  );
}
