import { isJsonObject, type JsonObject } from "../../../src/domain/json/json.js";
import { firstText } from "../../../src/domain/text/preview.js";
import { parseApplyPatch } from "./apply-patch.js";
import { type FileChange, type Hunk, wholeFile } from "./file-change.js";
import { recordedChanges } from "./recorded-changes.js";
import { textChanges } from "./text-changes.js";

export interface RecordedToolCall {
  readonly name: string;
  readonly input: unknown;
  /** The event that ended it; `{}` where there is none. */
  readonly end: JsonObject;
}

/** How the input of a tool call changes files. */
export interface CallChanges {
  readonly files: readonly FileChange[];
  /** What else the input says. */
  readonly rest: JsonObject;
}

const PATH = ["file_path", "filePath", "path"];
const OLD = ["old_string", "oldString", "old_str"];
const NEW = ["new_string", "newString", "new_str"];
const EVERYWHERE = ["replace_all", "replaceAll", "allow_multiple"];
const CONTENT = ["content", "file_text"];

/** Tools that replace a whole file; others may mean anything by a path and a content. */
const WRITES = /^(write|write_?file|create_?file)$/i;

/**
 * Reads the input of a tool call as changes of files, whichever agent's tool it is. What was recorded of the change when it
 * was made takes the place of what was asked for, because it knows the lines' numbers.
 *
 * @returns `undefined` where the input is no such, or is broken
 */
export function callChanges({ name, input, end }: RecordedToolCall): CallChanges | undefined {
  const asked = askedChanges(name, input);
  return asked && { ...asked, files: recordedChanges(end) ?? asked.files };
}

function askedChanges(name: string, input: unknown): CallChanges | undefined {
  if (typeof input === "string") return patched(input, {});
  if (!isJsonObject(input)) return undefined;
  return (
    editOf(input) ?? editsOf(input) ?? (WRITES.test(name) ? writtenBy(input) : undefined) ?? patchOf(input)
  );
}

function editOf(input: JsonObject): CallChanges | undefined {
  const path = firstText(input, PATH);
  const one = editHunks(input);
  if (path === undefined || one === undefined) return undefined;
  return { files: [updated(path, one)], rest: without(input, [...PATH, ...OLD, ...NEW, ...EVERYWHERE]) };
}

function editsOf(input: JsonObject): CallChanges | undefined {
  const path = firstText(input, PATH);
  if (path === undefined || !Array.isArray(input.edits) || input.edits.length === 0) return undefined;
  const hunks: Hunk[] = [];
  for (const edit of input.edits) {
    const read = isJsonObject(edit) ? editHunks(edit) : undefined;
    if (read === undefined) return undefined;
    for (const hunk of read) hunks.push(hunk);
  }
  return { files: [updated(path, hunks)], rest: without(input, [...PATH, "edits"]) };
}

/** A text that takes the place of another. An empty one is there, too. */
function editHunks(edit: JsonObject): readonly Hunk[] | undefined {
  const before = OLD.map((name) => edit[name]).find((value) => typeof value === "string");
  const after = NEW.map((name) => edit[name]).find((value) => typeof value === "string");
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const everywhere = EVERYWHERE.some((name) => edit[name] === true);
  return textChanges(before, after).map((one) => ({ ...one, everywhere }));
}

function writtenBy(input: JsonObject): CallChanges | undefined {
  const path = firstText(input, PATH);
  const content = CONTENT.map((name) => input[name]).find((value) => typeof value === "string");
  if (path === undefined || typeof content !== "string") return undefined;
  const hunks = wholeFile("added", content);
  return {
    files: [{ type: "written", path, movedTo: undefined, hunks }],
    rest: without(input, [...PATH, ...CONTENT]),
  };
}

/** A patch that is an argument, or that a shell passes on. */
function patchOf(input: JsonObject): CallChanges | undefined {
  for (const name of ["input", "patch", "command", "cmd"]) {
    const value = input[name];
    const text = Array.isArray(value) ? value.at(-1) : value;
    const read = typeof text === "string" ? patched(text, without(input, [name])) : undefined;
    if (read !== undefined) return read;
  }
  return undefined;
}

/** A shell's command that does nothing but apply a patch. */
const HEREDOC = /^\s*apply_patch <<\s*(['"]?)(\w+)\1\n([\s\S]*)\n\2\s*$/;

function patched(text: string, rest: JsonObject): CallChanges | undefined {
  if (!text.includes("*** Begin Patch")) return undefined;
  const files = parseApplyPatch(HEREDOC.exec(text)?.[3] ?? text);
  return files && { files, rest };
}

function updated(path: string, hunks: readonly Hunk[]): FileChange {
  return { type: "updated", path, movedTo: undefined, hunks };
}

function without(input: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}
