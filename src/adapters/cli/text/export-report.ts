import type { ExportFormat } from "../../../application/export/export-formats.js";
import type { ExportedFile } from "../../../application/export/export-session.js";
import { formatBytes, formatCount } from "../../../domain/text/figures.js";
import { visibleText } from "../../../domain/text/visible-text.js";

export interface WantedFile {
  readonly output: string;
  readonly format: ExportFormat;
  readonly redact: "strict" | "none";
}

const OPENED: { readonly [format in ExportFormat]?: string } = {
  html: "Open it in a browser, or with",
  jsonl: "Open it with",
  atif: "Open it with",
  otlp: "Open it with",
};

export function reportOf(
  { removed }: ExportedFile,
  { output, format, redact }: WantedFile,
  bytes: number,
  sessions: number,
): string {
  const file = visibleText(output);
  const rules = Object.entries(removed).map(([rule, count]) => `${visibleText(rule)} ${count}`);
  const findings = rules.length === 0 ? "No findings to remove." : `Removed: ${rules.join(", ")}.`;
  const how = OPENED[format];
  const lines = [
    `Wrote ${output === "-" ? "" : `${file}: `}${formatCount(sessions, "session")}, ${formatBytes(bytes)}.`,
    redact === "none" ? "Texts and images were not checked, and nothing was removed." : findings,
    ...(how === undefined || output === "-" ? [] : [`${how}: agent-inspector ${file}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
