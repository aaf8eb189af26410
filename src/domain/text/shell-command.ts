/** What was run, whichever way a tool was given it: a text, or a list of arguments. */
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

/**
 * A command without the changes of folder in front of it.
 *
 * @example withoutFolderChange("cd /home/ada/shop && npm test") // "npm test"
 */
export function withoutFolderChange(command: string): string {
  let text = command;
  for (let next = text.replace(CHANGE_FOLDER, ""); next !== text; next = text.replace(CHANGE_FOLDER, "")) {
    text = next;
  }
  return text;
}
