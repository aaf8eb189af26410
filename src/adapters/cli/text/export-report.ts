import type { ExportFormat } from "../../../application/export/export-formats.js";
import type { ExportedFile } from "../../../application/export/export-session.js";
import { countText } from "../../../domain/text/figure-texts.js";
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
    `Wrote ${output === "-" ? "" : `${file}: `}${countText(sessions, "session")}, ${sizeText(bytes)}.`,
    redact === "none" ? "Texts and images were not checked, and nothing was removed." : findings,
    ...(how === undefined || output === "-" ? [] : [`${how}: agent-inspector ${file}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
