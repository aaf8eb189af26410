import type { SourceReport } from "../../../src/domain/session/source-report.js";

/** Suggested folder for copies. */
const TO = "~/agent-histories";

/**
 * Returns the shell command that copies the histories of a source. Copies all discovered histories if the source's folder is not
 * reported.
 *
 * @example keepCommand({ path: "/home/ada/.claude/projects" }) // "agent-inspector keep /home/ada/.claude/projects --to ~/agent-histories"
 */
export function keepCommand({ path }: Pick<SourceReport, "path">): string {
  return ["agent-inspector keep", ...(path === undefined ? [] : [quoted(path)]), `--to ${TO}`].join(" ");
}

/** A path that a shell takes as it is. */
function quoted(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) && !path.startsWith("-") ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
