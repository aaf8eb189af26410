import { checkFileSource } from "../adapters/files/catalog/file-source-options.js";
import { CLAUDE_CODE_TASKS } from "../adapters/formats/claude-code/claude-code-format.js";
import { CODEX_TASKS } from "../adapters/formats/codex/codex-format.js";
import { GEMINI_CLI_TASKS } from "../adapters/formats/gemini-cli/gemini-cli-format.js";
import { historyFormat } from "../adapters/formats/registry.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../adapters/transcripts/source/transcript-data-source.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { asDataSource } from "../application/sources/lift.js";

/**
 * Reads the histories of Claude Code (`docs/claude-code.md`), also while Claude Code writes them.
 * @param projectsDir the folder that contains a folder for each project, such as `~/.claude/projects`
 * @throws TypeError if the folder is not a path, or if an option is invalid
 * @throws RangeError if a number is out of range
 * @example
 * const source = createClaudeCodeDataSource(path.join(homedir(), ".claude", "projects"));
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createClaudeCodeDataSource(
  projectsDir: string,
  options: TranscriptOptions = {},
): InspectorDataSource {
  const settings = checkFileSource("projectsDir", projectsDir, options);
  return asDataSource(
    new TranscriptDataSource(projectsDir, CLAUDE_CODE_TASKS, settings, historyFormat("claude-code")),
  );
}

/**
 * Reads the histories of Codex CLI (`docs/codex.md`), also while it writes them.
 * @param codexHome the folder of `sessions` and `archived_sessions`, such as `~/.codex`, or a folder below `sessions`
 * @throws TypeError and RangeError as `createClaudeCodeDataSource` does
 * @example
 * const source = createCodexDataSource(path.join(homedir(), ".codex"));
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createCodexDataSource(
  codexHome: string,
  options: TranscriptOptions = {},
): InspectorDataSource {
  const settings = checkFileSource("codexHome", codexHome, options);
  return asDataSource(new TranscriptDataSource(codexHome, CODEX_TASKS, settings, historyFormat("codex")));
}

/**
 * Reads the histories of Gemini CLI (`docs/gemini-cli.md`), also while it writes them.
 *
 * @param folder `~/.gemini`, its folder `tmp`, or the folder of one project in that
 *
 * @throws TypeError and RangeError as `createClaudeCodeDataSource` does
 *
 * @example
 * const source = createGeminiCliDataSource(path.join(homedir(), ".gemini"));
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createGeminiCliDataSource(
  folder: string,
  options: TranscriptOptions = {},
): InspectorDataSource {
  const settings = checkFileSource("folder", folder, options);
  return asDataSource(
    new TranscriptDataSource(folder, GEMINI_CLI_TASKS, settings, historyFormat("gemini-cli")),
  );
}
