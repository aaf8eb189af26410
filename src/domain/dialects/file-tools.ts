/**
 * The tools that read files, without the name of a server in front and in small letters.
 *
 * - Claude Code (`Read`, `NotebookRead`): https://code.claude.com/docs/en/tools-reference
 * - Gemini CLI, Qwen Code (`read_file`, `read_many_files`): https://geminicli.com/docs/tools/file-system
 * - OpenCode, Pi (`read`), Copilot CLI (`view`): as their recorded sessions name them
 * - Codex (`view_image`): as its recorded sessions name it
 * - the file system server of MCP (`read_text_file`, `read_media_file`, `read_multiple_files`):
 *   https://github.com/modelcontextprotocol/servers/tree/main/src/filesystem
 */
const READING: ReadonlySet<string> = new Set([
  "read",
  "notebookread",
  "read_file",
  "read_many_files",
  "view",
  "view_image",
  "read_text_file",
  "read_media_file",
  "read_multiple_files",
]);

/**
 * Editors that also read files; the call's first word names the operation:
 * https://docs.claude.com/en/docs/agents-and-tools/tool-use/text-editor-tool
 */
const EDITORS: ReadonlySet<string> = new Set(["str_replace_based_edit_tool", "str_replace_editor"]);

/** The tools that run a command: Claude Code's, Copilot CLI's and OpenCode's, Codex's, Gemini CLI's. */
const SHELLS: ReadonlySet<string> = new Set([
  "bash",
  "shell",
  "shell_command",
  "exec_command",
  "local_shell",
  "run_shell_command",
]);

/** A command that shows one file, or some lines of it, and does nothing else. */
const SHOWS_FILE =
  /^(?:cat(?: -n)?|nl(?: -ba)?|bat|head(?: -n ?\d+| -\d+)?|tail(?: -n ?\+?\d+| -\d+)?|sed -n (?:'[\d,$]+p'|"[\d,$]+p"|[\d,$]+p)) ("[^"$`]+"|'[^']+'|[^\s"'$`*?|&;<>()…-][^\s"'$`*?|&;<>()…]*)$/;

/** A tool call, as far as its files depend on it. */
interface FileCall {
  readonly name: string;
  readonly subject: string;
  readonly paths: readonly string[];
}

/** The files that a call read; none of a call that did something else, too. */
export function filesReadBy({ name, subject, paths }: FileCall): readonly string[] {
  const tool = toolWord(name);
  if (READING.has(tool)) return paths;
  if (EDITORS.has(tool)) return subject.startsWith("view · ") ? paths : [];
  const file = SHELLS.has(tool) ? fileReadBy(subject) : undefined;
  return file === undefined ? [] : [file];
}

/**
 * The tools that write files, or change them, as those above are named; and those of other servers and tools whose names say it.
 *
 * - Claude Code (`Write`, `Edit`, `MultiEdit`, `NotebookEdit`), Gemini CLI and Qwen Code (`write_file`, `replace`, `edit`)
 * - OpenCode, Pi (`write`, `edit`), Copilot CLI (`create`, `edit`), Droid (`Create`, `Edit`), Kimi (`WriteFile`, `StrReplaceFile`)
 * - Cline and Roo Code (`write_to_file`, `replace_in_file`)
 */
const WRITING: ReadonlySet<string> = new Set([
  "write",
  "write_file",
  "writefile",
  "write_to_file",
  "create",
  "create_file",
  "createfile",
  "edit",
  "edit_file",
  "editfile",
  "multiedit",
  "multi_edit",
  "notebookedit",
  "notebook_edit",
  "replace",
  "replace_in_file",
  "strreplacefile",
  "str_replace",
]);

/** A tool's use of its files; the first word of an editor's input names it. */
export type FileUse = "reads" | "writes" | "edits" | "runs";

/** @returns `undefined` for a tool whose name says nothing of files */
export function fileUseOf(name: string): FileUse | undefined {
  const tool = toolWord(name);
  if (READING.has(tool)) return "reads";
  if (WRITING.has(tool)) return "writes";
  if (EDITORS.has(tool)) return "edits";
  return SHELLS.has(tool) ? "runs" : undefined;
}

/** The file that a command shows, where it does nothing else. */
export function fileReadBy(command: string): string | undefined {
  return SHOWS_FILE.exec(command)?.[1]?.replace(/^(["'])(.*)\1$/, "$2");
}

/** @example toolWord("mcp__files__read_file") // "read_file" */
function toolWord(name: string): string {
  const server = name.lastIndexOf("__");
  const from = Math.max(server === -1 ? 0 : server + 2, name.lastIndexOf(".") + 1, name.lastIndexOf("/") + 1);
  return name.slice(from).toLowerCase();
}
