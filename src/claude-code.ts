/** `agent-inspector/claude-code`: the histories that Claude Code keeps of its sessions. */
export type { ClaudeCodeDataSourceOptions } from "./adapters/claude-code/claude-code-data-source.js";
export type { ProjectProgress } from "./adapters/claude-code/project-catalog.js";
export { createClaudeCodeDataSource } from "./composition/claude-code-data-source.js";
