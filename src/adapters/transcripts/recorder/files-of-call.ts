import { type FileUse, fileReadBy } from "../../../domain/dialects/file-tools.js";
import { isJsonObject, type JsonObject } from "../../../domain/json/json.js";
import {
  commandText,
  patchedFiles,
  patchIn,
  pathsIn,
  withoutFolderChange,
} from "../../../domain/text/subject.js";

export interface FilesOfCall {
  readonly read: readonly string[];
  readonly edited: readonly string[];
}

const NO_FILES: readonly string[] = [];
const NONE: FilesOfCall = { read: NO_FILES, edited: NO_FILES };

/**
 * If the tool's name does not state its use, a patch or a replacement of text counts as a change.
 * @param use result of `fileUseOf` for the tool's name
 * @example filesOfCall("writes", { file_path: "src/a.ts", old_string: "a", new_string: "b" }) // { read: [], edited: ["src/a.ts"] }
 */
export function filesOfCall(use: FileUse | undefined, input: unknown): FilesOfCall {
  if (!isJsonObject(input)) return patched(patchIn(input));
  switch (use) {
    case "reads":
      return { read: pathsIn(input), edited: NO_FILES };
    case "writes":
      return { read: NO_FILES, edited: pathsIn(input) };
    case "edits":
      return filesOfCall(input.command === "view" ? "reads" : "writes", input);
    case "runs":
      return filesOfCommand(commandText(input.command ?? input.cmd));
    case undefined:
      return replacesText(input) ? filesOfCall("writes", input) : patched(patchIn(input));
  }
}

function patched(patch: string | undefined): FilesOfCall {
  return patch === undefined ? NONE : { read: NO_FILES, edited: patchedFiles(patch) };
}

const MOST_OF_COMMAND = 500;

function filesOfCommand(command: string): FilesOfCall {
  const patch = patchIn(command);
  if (patch !== undefined) return patched(patch);
  if (command.length > MOST_OF_COMMAND || !/\b(?:cat|nl|bat|head|tail|sed) /.test(command)) return NONE;
  const file = fileReadBy(withoutFolderChange(command).trim());
  return file === undefined ? NONE : { read: [file], edited: NO_FILES };
}

function replacesText({ old_string, oldString = old_string, old_str = oldString }: JsonObject): boolean {
  return typeof old_str === "string";
}
