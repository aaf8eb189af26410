import { isJsonObject, type JsonObject } from "../json/json.js";
import { withoutTerminalCodes } from "./preview-text.js";

/** Texts and paths are as recorded; very long ones are cut. */
export interface Subject {
  readonly text: string;
  /** At most 10. */
  readonly paths: readonly string[];
  readonly pathCount: number;
}

export const MAX_SUBJECT = 600;
const MAX_PATHS = 10;

const COMMANDS = ["command", "cmd"];
const PATCHES = ["input", "patch", "patchText", "patch_text", ...COMMANDS];
const PATHS = [
  "file_path",
  "filePath",
  "absolute_path",
  "notebook_path",
  "target_file",
  "path",
  "dir_path",
  "paths",
  "file_paths",
];
const SEARCHES = ["pattern", "query"];
const TEXTS = ["url", "description", "prompt", "skill", "question", "message"];

/**
 * The shape of the input decides.
 * @param otherwise the text of an input without a registered member
 * @example callSubject({ file_path: "src/a.ts", offset: 9 }, () => "") // { text: "", paths: ["src/a.ts"], pathCount: 1 }
 */
export function callSubject(input: unknown, otherwise: () => string): Subject {
  if (typeof input === "string") {
    return patchSubject(input) ?? newSubject(scriptCommands(input) ?? commandText(input));
  }
  if (!isJsonObject(input)) return newSubject(otherwise());
  for (const name of PATCHES) {
    const value = input[name];
    const patch = patchSubject(Array.isArray(value) ? commandText(value) : value);
    if (patch !== undefined) return patch;
  }
  const command = first(COMMANDS, (name) => commandText(input[name]));
  const paths = pathsIn(input);
  // A word beside a path is an action: `{ command: "view", path }`.
  if (command !== undefined) return newSubject(command, /\s/.test(command) ? [] : paths);
  const search = first(SEARCHES, (name) => input[name]);
  if (search !== undefined || paths.length > 0) return newSubject(search ?? "", paths);
  return newSubject(first(TEXTS, (name) => input[name]) ?? otherwise());
}

export function newSubject(text: string, paths: readonly string[] = NO_PATHS): Subject {
  return {
    text: cut(text),
    paths: paths.length === 0 ? NO_PATHS : paths.slice(0, MAX_PATHS).map(cut),
    pathCount: paths.length,
  };
}

const NO_PATHS: readonly string[] = [];

/** The rewriting of white space releases the memory of the original text. */
function cut(text: string): string {
  const start = withoutTerminalCodes(text.slice(0, MAX_SUBJECT * 2))
    .replace(/[^\S\n]+/g, " ")
    .trim();
  return start.length > MAX_SUBJECT ? `${start.slice(0, MAX_SUBJECT - 1)}…` : start;
}

function first(names: readonly string[], read: (name: string) => unknown): string | undefined {
  for (const name of names) {
    const value = read(name);
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

export function pathsIn(input: JsonObject): readonly string[] {
  for (const name of PATHS) {
    const value = input[name];
    const paths = (Array.isArray(value) ? value : [value]).filter(
      (path): path is string => typeof path === "string" && path !== "",
    );
    if (paths.length > 0) return paths;
  }
  return NO_PATHS;
}

const PATCHED_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** Also for a patch that is otherwise unreadable. */
function patchSubject(text: unknown): Subject | undefined {
  if (!isPatch(text)) return undefined;
  const files = patchedFiles(text);
  return files.length === 0 ? undefined : newSubject("", files);
}

export function patchedFiles(patch: string): readonly string[] {
  // In a script the patch may be a quoted text.
  const lines = patch.includes("\\n*** ") ? patch.replaceAll("\\n", "\n") : patch;
  return [...new Set([...lines.matchAll(PATCHED_FILE)].map(([, file = ""]) => file.trim()))];
}

export function patchIn(input: unknown): string | undefined {
  if (typeof input === "string") return isPatch(input) ? input : undefined;
  if (!isJsonObject(input)) return undefined;
  for (const name of PATCHES) {
    const value = input[name];
    const text = Array.isArray(value) ? commandText(value) : value;
    if (isPatch(text)) return text;
  }
  return undefined;
}

function isPatch(text: unknown): text is string {
  return typeof text === "string" && text.includes("*** Begin Patch");
}

const COMMAND_MEMBER = /\b(?:cmd|command)["']?: ?("(?:[^"\\]|\\.)*")/g;
const MAX_SCRIPT = 4000;

/** Reads scripts such as `await tools.exec_command({"cmd":"git status"})`. */
function scriptCommands(script: string): string | undefined {
  const members = script.slice(0, MAX_SCRIPT).matchAll(COMMAND_MEMBER);
  const commands = [...members].flatMap(([, quoted = ""]) => unquoted(quoted) ?? []);
  return commands.length === 0 ? undefined : commands.join("\n");
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function commandText(command: unknown): string {
  if (typeof command === "string") return withoutShell(command);
  if (!Array.isArray(command)) return "";
  const words = command.filter((word) => typeof word === "string");
  const [program = "", option = "", script] = words;
  if (script !== undefined && SHELL.test(program) && RUNS_TEXT.test(option)) return script;
  return words.join(" ");
}

const SHELL = /^(?:\S*[\\/])?(?:ba|z|da|k)?sh$/;
const RUNS_TEXT = /^-[a-z]*c$/;
const SHELL_START = /^(?:\S*\/)?(?:ba|z|da|k)?sh -[a-z]*c (["'])/;

function withoutShell(command: string): string {
  const text = command.trim();
  const quote = SHELL_START.exec(text);
  if (quote === null || text.length <= quote[0].length || !text.endsWith(quote[1]!)) return command;
  return text.slice(quote[0].length, -1);
}

const CHANGE_FOLDER = /^\s*cd (?:"[^"]*"|'[^']*'|[^\s;&|"']+)[ \t]*(?:&&|;|\n)\s*(?=\S)/;

/** @example withoutFolderChange("cd /home/ada/shop && npm test") // "npm test" */
export function withoutFolderChange(command: string): string {
  let text = command;
  for (let next = text.replace(CHANGE_FOLDER, ""); next !== text; next = text.replace(CHANGE_FOLDER, "")) {
    text = next;
  }
  return text;
}
