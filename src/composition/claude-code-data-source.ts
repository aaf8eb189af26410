import {
  ClaudeCodeDataSource,
  type ClaudeCodeDataSourceOptions,
} from "../adapters/claude-code/claude-code-data-source.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";

/**
 * Reads the histories of Claude Code (`docs/claude-code.md`), also while it writes them.
 *
 * @param projectsDir the folder that holds a folder for each project, such as `~/.claude/projects`
 *
 * @example
 * const source = createClaudeCodeDataSource(path.join(homedir(), ".claude", "projects"));
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createClaudeCodeDataSource(
  projectsDir: string,
  options: ClaudeCodeDataSourceOptions = {},
): InspectorDataSource {
  return new ClaudeCodeDataSource(projectsDir, options);
}
