import { isJsonObject, type JsonObject } from "../json/json.js";
import { firstText } from "../spans/preview.js";
import { parseApplyPatch } from "./apply-patch.js";
import type { FileChange } from "./file-change.js";

/** A text that takes the place of another. Either may be empty, and need not begin or end with a line. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
  /** Wherever it occurs in the file, not only once. */
  readonly everywhere: boolean;
}

/** A tool call's request to change one file. */
export type RequestedEdit =
  | { readonly is: "replaced"; readonly path: string; readonly replacements: readonly Replacement[] }
  | { readonly is: "written"; readonly path: string; readonly content: string }
  | { readonly is: "patched"; readonly path: string; readonly change: FileChange };

/** The file changes that a tool call requests in its input. */
export interface RequestedEdits {
  readonly files: readonly RequestedEdit[];
  /** The other members of the input. */
  readonly rest: JsonObject;
}

const PATH = ["file_path", "filePath", "path"];
const OLD = ["old_string", "oldString", "old_str"];
const NEW = ["new_string", "newString", "new_str"];
const EVERYWHERE = ["replace_all", "replaceAll", "allow_multiple"];
const CONTENT = ["content", "file_text"];
const PATCH = ["input", "patch", "patchText", "command", "cmd"];

/** Tools that replace a complete file. A path and a content may mean something else in other tools. */
const WRITES = /^(write|write_?file|create_?file)$/i;

/**
 * Reads the input of any agent's tool call as edits of files.
 *
 * @returns `undefined` for other inputs, and for a broken one
 * @example askedEdits("Write", { file_path: "a.md", content: "# A" }) // { files: [{ is: "written", … }], rest: {} }
 */
export function requestedEdits(name: string, input: unknown): RequestedEdits | undefined {
  if (typeof input === "string") return patched(input, {});
  if (!isJsonObject(input)) return undefined;
  return (
    editOf(input) ?? editsOf(input) ?? (WRITES.test(name) ? writtenBy(input) : undefined) ?? patchOf(input)
  );
}

function editOf(input: JsonObject): RequestedEdits | undefined {
  const path = firstText(input, PATH);
  const one = replacementIn(input);
  if (path === undefined || one === undefined) return undefined;
  const rest = without(input, [...PATH, ...OLD, ...NEW, ...EVERYWHERE]);
  return { files: [{ is: "replaced", path, replacements: [one] }], rest };
}

function editsOf(input: JsonObject): RequestedEdits | undefined {
  const path = firstText(input, PATH);
  if (path === undefined || !Array.isArray(input.edits) || input.edits.length === 0) return undefined;
  const replacements: Replacement[] = [];
  for (const edit of input.edits) {
    const read = isJsonObject(edit) ? replacementIn(edit) : undefined;
    if (read === undefined) return undefined;
    replacements.push(read);
  }
  return { files: [{ is: "replaced", path, replacements }], rest: without(input, [...PATH, "edits"]) };
}

function replacementIn(edit: JsonObject): Replacement | undefined {
  const before = OLD.map((name) => edit[name]).find((value) => typeof value === "string");
  const after = NEW.map((name) => edit[name]).find((value) => typeof value === "string");
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  return { before, after, everywhere: EVERYWHERE.some((name) => edit[name] === true) };
}

function writtenBy(input: JsonObject): RequestedEdits | undefined {
  const path = firstText(input, PATH);
  const content = CONTENT.map((name) => input[name]).find((value) => typeof value === "string");
  if (path === undefined || typeof content !== "string") return undefined;
  return { files: [{ is: "written", path, content }], rest: without(input, [...PATH, ...CONTENT]) };
}

/** A patch that is an argument, or that a shell passes on. */
function patchOf(input: JsonObject): RequestedEdits | undefined {
  for (const name of PATCH) {
    const value = input[name];
    const text = Array.isArray(value) ? value.at(-1) : value;
    const read = typeof text === "string" ? patched(text, without(input, [name])) : undefined;
    if (read !== undefined) return read;
  }
  return undefined;
}

/** A shell's command that does nothing but apply a patch. */
const HEREDOC = /^\s*apply_patch <<\s*(['"]?)(\w+)\1\n([\s\S]*)\n\2\s*$/;

function patched(text: string, rest: JsonObject): RequestedEdits | undefined {
  if (!text.includes("*** Begin Patch")) return undefined;
  const changes = parseApplyPatch(HEREDOC.exec(text)?.[3] ?? text);
  return changes && { files: changes.map((change) => ({ is: "patched", path: change.path, change })), rest };
}

function without(input: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}
