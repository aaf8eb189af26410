import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { completeFile, type FileChange, type Hunk, hunk, signedLine } from "./file-change.js";
import { parseUnifiedDiff } from "./unified-diff.js";

/**
 * From the tool's end (Claude Code's `toolUseResult`, Codex's `changes`) or the call's result (Gemini CLI's `resultDisplay`).
 * @returns `undefined` without such a record, or if it is broken
 */
export function recordedChanges(end: JsonObject): readonly FileChange[] | undefined {
  return (
    fromToolUseResult(objectField(objectField(end, "record"), "toolUseResult")) ??
    fromChanges(end.changes) ??
    fromDisplay(objectField(end, "resultDisplay"))
  );
}

function fromToolUseResult(result: JsonObject): readonly FileChange[] | undefined {
  const { filePath: path, structuredPatch: patch, content } = result;
  if (typeof path !== "string" || !Array.isArray(patch)) return undefined;
  if (patch.length === 0) {
    if (result.type !== "create" || typeof content !== "string") return undefined;
    return [{ type: "added", path, movedTo: undefined, hunks: completeFile("added", content) }];
  }
  const hunks = patch.map(structuredHunk);
  return hunks.some((one) => one === undefined)
    ? undefined
    : [{ type: "updated", path, movedTo: undefined, hunks: hunks as Hunk[] }];
}

function structuredHunk(value: unknown): Hunk | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.lines)) return undefined;
  const { oldStart, newStart } = value;
  if (typeof oldStart !== "number" || typeof newStart !== "number") return undefined;
  const lines = value.lines.map((line) => (typeof line === "string" ? signedLine(line) : undefined));
  const read = lines.flatMap((line) => line ?? []);
  return read.length === lines.length ? hunk(read, { oldStart, newStart }) : undefined;
}

function fromChanges(changes: unknown): readonly FileChange[] | undefined {
  if (!isJsonObject(changes)) return undefined;
  const files = Object.entries(changes).map(([path, change]) =>
    isJsonObject(change) ? fromChange(path, change) : undefined,
  );
  const read = files.flatMap((file) => file ?? []);
  return read.length === files.length && read.length > 0 ? read : undefined;
}

function fromChange(path: string, change: JsonObject): FileChange | undefined {
  const { type, content, unified_diff: diff } = change;
  const movedTo = textField(change, "move_path");
  if (type === "add" && typeof content === "string") {
    return { type: "added", path, movedTo, hunks: completeFile("added", content) };
  }
  if (type === "delete" && typeof content === "string") {
    return { type: "deleted", path, movedTo, hunks: completeFile("removed", content) };
  }
  if (type !== "update" || typeof diff !== "string") return undefined;
  // A move alone has an empty diff.
  const hunks = diff === "" ? [] : parseUnifiedDiff(diff);
  return hunks && { type: "updated", path, movedTo, hunks };
}

function fromDisplay(display: JsonObject): readonly FileChange[] | undefined {
  const { fileDiff, isNewFile } = display;
  const path = textField(display, "filePath") ?? textField(display, "fileName");
  if (path === undefined || typeof fileDiff !== "string") return undefined;
  const hunks = parseUnifiedDiff(fileDiff);
  return hunks && [{ type: isNewFile === true ? "added" : "updated", path, movedTo: undefined, hunks }];
}
