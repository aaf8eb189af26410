import type { SourceReport } from "../../../../src/domain/session/source-report.js";

const TO = "~/agent-histories";

/**
 * Copies all discovered histories if the folder is not reported.
 * @example keepCommand({ path: "/home/ada/.claude/projects" }) // "agent-inspector keep /home/ada/.claude/projects --to ~/agent-histories"
 */
export function keepCommand({ path }: Pick<SourceReport, "path">): string {
  return ["agent-inspector keep", ...(path === undefined ? [] : [quoted(path)]), `--to ${TO}`].join(" ");
}

function quoted(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) && !path.startsWith("-") ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
