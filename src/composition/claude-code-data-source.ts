import { CLAUDE_CODE_TASKS } from "../adapters/formats/claude-code/claude-code-tasks.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../adapters/transcripts/transcript-data-source.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { asDataSource } from "../application/sources/lift.js";
import { checkFileSource } from "./check-file-source.js";

/**
 * Reads the histories of Claude Code (`docs/claude-code.md`), also while it writes them.
 *
 * @param projectsDir the folder that holds a folder for each project, such as `~/.claude/projects`
 *
 * @throws TypeError for a folder that is no path, and for an option that there is not, or whose value is of another kind
 * @throws RangeError for a number out of range
 *
 * @example
 * const source = createClaudeCodeDataSource(path.join(homedir(), ".claude", "projects"));
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createClaudeCodeDataSource(
  projectsDir: string,
  options: TranscriptOptions = {},
): InspectorDataSource {
  checkFileSource("projectsDir", projectsDir, options);
  return asDataSource(new TranscriptDataSource(projectsDir, CLAUDE_CODE_TASKS, options));
}
