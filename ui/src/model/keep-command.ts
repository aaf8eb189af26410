import type { SourceReport } from "../../../src/domain/session/source-report.js";

/** Where copies are suggested to lie. */
const TO = "~/agent-histories";

/**
 * The command that copies the histories of a source, for a shell; of all that are found where its folder is not known.
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
