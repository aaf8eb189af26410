export const EXPORT_FORMATS = ["html", "jsonl", "atif", "otlp", "markdown", "prompt"] as const;

/**
 * - `html`: the page with the sessions in it, one file.
 * - `jsonl`: an archive, a line each.
 * - `atif`: a trajectory of ATIF 1.7.
 * - `otlp`: spans in OTLP's JSON.
 * - `markdown`: for people.
 * - `prompt`: bounded, for an agent that continues the work.
 */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
