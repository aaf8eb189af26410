import { isJsonObject, type JsonObject } from "../json/json.js";
import { callSubject, patchedFiles, patchIn, withoutFolderChange } from "../text/subject.js";
import { changesFiles, filesReadBy, mayReadFiles } from "./tool-names.js";

/** The files that a tool call names, by what it is to do with them; paths as they were recorded. */
export interface FilesOfCall {
  readonly read: readonly string[];
  readonly edited: readonly string[];
}

const NO_FILES: readonly string[] = [];
const NONE: FilesOfCall = { read: NO_FILES, edited: NO_FILES };

/**
 * Which files a tool call reads and which ones it changes. A patch changes files whichever tool is called with it, and so does a text that
 * is to take the place of another one; else the name of the tool decides.
 *
 * @example filesOfCall("Edit", { file_path: "src/a.ts", old_string: "a", new_string: "b" }) // { read: [], edited: ["src/a.ts"] }
 */
export function filesOfCall(name: string, input: unknown): FilesOfCall {
  const patch = patchIn(input);
  if (patch !== undefined) return { read: NO_FILES, edited: patchedFiles(patch) };
  if (!isJsonObject(input)) return NONE;
  if (changesFiles(name, input.command) || replacesText(input)) {
    const { paths } = callSubject(input, noText);
    return paths.length === 0 ? NONE : { read: NO_FILES, edited: paths };
  }
  if (!mayReadFiles(name) || !mayShowFile(input.command ?? input.cmd)) return NONE;
  const { text, paths } = callSubject(input, noText);
  const [path] = paths;
  const subject = path === undefined || text === "" ? withoutFolderChange(text) : `${text} · ${path}`;
  const read = filesReadBy({ name, subject, paths });
  return read.length === 0 ? NONE : { read, edited: NO_FILES };
}

function noText(): string {
  return "";
}

function replacesText({ old_string, oldString = old_string, old_str = oldString }: JsonObject): boolean {
  return typeof old_str === "string";
}

/** Longer commands do more than to show a file. Most are sorted out by it, because there are many. */
const MOST_OF_COMMAND = 500;

/** Whether a call without a command, or one with this, may show a file. */
function mayShowFile(command: unknown): boolean {
  if (command === undefined || command === "view") return true;
  if (typeof command !== "string") return Array.isArray(command);
  return command.length <= MOST_OF_COMMAND && /\b(?:cat|nl|bat|head|tail|sed) /.test(command);
}
