import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { ENTRY_NAME, type SetupLocation, type SetupPlace } from "./mcp-setup-places.js";
import { UnreadableSettingsError } from "./unreadable-settings-error.js";

export interface JsonEntry {
  readonly value: unknown;
  readonly location: SetupLocation;
}

/** @throws UnreadableSettingsError for a text that is not such a settings file */
export function readJsonEntry(text: string, { locations }: SetupPlace): JsonEntry {
  const root = readTree(text);
  const nodes = locations.map(({ within }) => findNodeAtLocation(root, [...within, ENTRY_NAME]));
  const existing = nodes.findLastIndex((node) => node !== undefined);
  const fitting = locations.findLastIndex(({ within }) => isHolder(findNodeAtLocation(root, [...within])));
  const location = locations[existing >= 0 ? existing : Math.max(fitting, 0)]!;
  const node = nodes[existing];
  return { value: node && plainValue(node), location };
}

export function hasJsonHolder(text: string, { locations }: SetupPlace): boolean {
  try {
    const root = readTree(text);
    return locations.some(({ within }) => isHolder(findNodeAtLocation(root, [...within])));
  } catch {
    return false;
  }
}

/**
 * Everything else stays byte for byte. The form of an added member lets {@link withoutJsonEntry} detect its origin: members added to an
 * empty object begin at its brace, and a new object around the entry does not. A new entry follows the last member, or comes first if a
 * comment follows that one.
 * @throws UnreadableSettingsError for a text that is not such a settings file
 */
export function withJsonEntry(text: string, { within, entry }: SetupLocation): string {
  const root = readTree(text);
  const holders = within.map((_, i) => findNodeAtLocation(root, within.slice(0, i + 1)));
  const existing = [root, ...holders.filter((node) => node !== undefined)];
  for (const node of existing) {
    if (node.type !== "object") throw new UnreadableSettingsError(`"${within.join(".")}" is not an object`);
    refuseDuplicates(node);
  }
  const holder = existing.at(-1)!;
  const last = holder.children?.at(-1);
  const isCommented = last !== undefined && /^[ \t]*,?[ \t]*\/[/*]/.test(text.slice(endOf(last)));
  const path = [...within, ENTRY_NAME];
  const edits = modify(text, path, entry, isCommented ? { getInsertionIndex: () => 0 } : {});
  return applyEdits(
    text,
    edits.map((edit) => layOut(text, edit, last)),
  );
}

/**
 * Also removes the object around the entry if {@link withJsonEntry} added it. Without other changes, the text is as before, byte for
 * byte.
 */
export function withoutJsonEntry(text: string, { within }: SetupLocation): string {
  const node = findNodeAtLocation(readTree(text), [...within, ENTRY_NAME]);
  if (node === undefined) return text;
  const withoutEntry = withoutMember(text, node.parent!);
  const object = node.parent!.parent!;
  if (object.children!.length > 1 || object.parent === undefined) return withoutEntry;
  const withoutObject = withoutMember(text, object.parent);
  const location = { within, entry: plainValue(node) as SetupLocation["entry"] };
  return withJsonEntry(withoutObject, location) === text ? withoutObject : withoutEntry;
}

export function jsonFile({ within, entry }: SetupLocation): string {
  const content = [...within, ENTRY_NAME].reduceRight<unknown>((value, name) => ({ [name]: value }), entry);
  return `${JSON.stringify(content, null, 2)}\n`;
}

function readTree(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw new UnreadableSettingsError(`line ${line} is not JSON (${printParseErrorCode(error.error)})`);
  }
  if (root?.type !== "object") throw new UnreadableSettingsError("it is not a JSON object");
  return root;
}

/** Readers disagree about two members with one name. */
function refuseDuplicates({ children = [] }: Node): void {
  const names = children.map((member) => member.children![0]!.value as string);
  if (new Set(names).size < names.length) throw new UnreadableSettingsError("two members have the same name");
}

function isHolder(node: Node | undefined): boolean {
  return node?.type === "object" && findNodeAtLocation(node, ["type"]) === undefined;
}

/** The objects of the parser have no prototype, unlike those of `JSON.parse`. */
function plainValue(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

function layOut(text: string, { offset, length, content }: Edit, last: Node | undefined): Edit {
  if (length > 0)
    return { offset, length, content: pretty(text, JSON.parse(content), indentAt(text, offset)) };
  const isLast = content.startsWith(",");
  const isFirst = content.endsWith(",");
  const member = pretty(text, JSON.parse(`{${content.replace(/^,|,$/g, "")}}`), "");
  if (last === undefined) {
    const lines = linesOfMember(member).join(lineEnding(text) + indentAt(text, offset));
    return { offset, length, content: lines };
  }
  const start = last.offset;
  const isOnOwnLine = /^[ \t]*$/.test(lineStart(text, start));
  const separator = isOnOwnLine ? lineEnding(text) + indentAt(text, start) : " ";
  const lines = isOnOwnLine
    ? linesOfMember(member).join(separator)
    : JSON.stringify(JSON.parse(member)).slice(1, -1);
  return { offset, length, content: `${isLast ? "," : ""}${separator}${lines}${isFirst ? "," : ""}` };
}

function linesOfMember(object: string): string[] {
  const lines = object.split(/\r?\n/).slice(1, -1);
  const indent = /^[ \t]*/.exec(lines[0]!)![0].length;
  return lines.map((line) => line.slice(indent));
}

function pretty(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", lineEnding(text) + indent);
}

/** Removes a member, one comma and the whitespace in front of the member. Comments stay. */
function withoutMember(text: string, member: Node): string {
  const { offset, parent } = member;
  const members = parent!.children!;
  const previous = members[members.indexOf(member) - 1];
  const begin = previous === undefined ? parent!.offset + 1 : endOf(previous);
  const gap = text.slice(begin, offset);
  const end = endOf(member);
  const removed = (from: number, comma: number | undefined) =>
    applyEdits(text, [
      { offset: from, length: end - from, content: "" },
      ...(comma === undefined ? [] : [{ offset: comma, length: 1, content: "" }]),
    ]);
  if (/^,\s*$/.test(gap)) return removed(begin, undefined);
  const following = commaAt(text, end);
  const comma = following ?? (previous === undefined ? undefined : commaAt(text, begin));
  // Without a line break after it, the rest would become a part of a comment in front of the member.
  const isLast = /^[ \t]*\r?\n/.test(text.slice(following === undefined ? end : following + 1));
  return removed(gap.trim() === "" || isLast ? begin + gap.trimEnd().length : offset, comma);
}

function commaAt(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === "," ? offset : undefined;
}

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

function endOf({ offset, length }: Node): number {
  return offset + length;
}
