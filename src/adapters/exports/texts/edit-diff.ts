import { diffLines } from "diff";
import { isJsonObject, type JsonObject } from "../../../domain/json/json.js";
import { firstText } from "../../../domain/spans/preview.js";
import { patchIn } from "../../../domain/text/subject.js";

const PATH = ["file_path", "filePath", "path", "notebook_path"];
const OLD = ["old_string", "oldString", "old_str", "oldText"];
const NEW = ["new_string", "newString", "new_str", "newText", "new_source"];
const CONTENT = ["content", "file_text"];

/** Tools that write a complete file. In other tools a path and a content may have any meaning. */
const WRITES = /^(?:write|write_?file|create|create_?file|write_to_file)$/i;

/** Above it, texts are removed and added completely: the work grows quadratically. */
const MOST_EDITS = 500;
const MOST_CHARACTERS = 200_000;
const CONTEXT = 3;

/**
 * `undefined` for other tools.
 * @example editDiff("Edit", { file_path: "a.ts", old_string: "1", new_string: "2" }) // "--- a.ts\n+++ a.ts\n-1\n+2"
 */
export function editDiff(name: string, input: unknown): string | undefined {
  const patch = patchIn(input);
  if (patch !== undefined) return patch;
  if (!isJsonObject(input)) return undefined;
  const path = firstText(input, PATH);
  if (path === undefined) return undefined;
  const head = `--- ${path}\n+++ ${path}`;
  const content = stringIn(input, CONTENT);
  if (content !== undefined && WRITES.test(name)) return `${head}\n${signed("+", content)}`;
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const changes = edits.map((edit) => (isJsonObject(edit) ? changeOf(edit) : undefined));
  if (changes.length === 0 || changes.some((change) => change === undefined)) return undefined;
  return [head, ...changes].join("\n");
}

function changeOf(edit: JsonObject): string | undefined {
  const [before, after] = [stringIn(edit, OLD), stringIn(edit, NEW)];
  if (after === undefined || (before === undefined && edit.new_source === undefined)) return undefined;
  return lineChanges(before ?? "", after);
}

function lineChanges(before: string, after: string): string {
  const isLong = before.length + after.length > MOST_CHARACTERS;
  const parts = isLong ? undefined : diffLines(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return `${signed("-", before)}\n${signed("+", after)}`;
  return parts
    .map(({ value, added, removed }, i) => {
      if (added) return signed("+", value);
      if (removed) return signed("-", value);
      return contextLines(value, i === 0, i === parts.length - 1);
    })
    .filter((lines) => lines !== "")
    .join("\n");
}

function contextLines(text: string, isFirst: boolean, isLast: boolean): string {
  const lines = linesOf(text);
  const before = isLast ? lines.length : Math.max(0, lines.length - CONTEXT);
  const behind = isFirst ? 0 : Math.min(CONTEXT, lines.length);
  if (behind >= before) return signedLines(" ", lines);
  const head = signedLines(" ", lines.slice(0, behind));
  const tail = isLast ? "" : signedLines(" ", lines.slice(before));
  return [head, isFirst || isLast ? "" : "@@", tail].filter((part) => part !== "").join("\n");
}

function signed(sign: string, text: string): string {
  return signedLines(sign, linesOf(text));
}

function signedLines(sign: string, lines: readonly string[]): string {
  return lines.map((line) => sign + line).join("\n");
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function stringIn(object: JsonObject, names: readonly string[]): string | undefined {
  const value = names.map((name) => object[name]).find((one) => typeof one === "string");
  return typeof value === "string" ? value : undefined;
}
