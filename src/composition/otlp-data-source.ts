import type { FileSourceOptions } from "../adapters/jsonl/file-source-options.js";
import { OtlpDataSource } from "../adapters/otlp/otlp-data-source.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";

export interface OtlpDataSourceOptions
  extends Pick<FileSourceOptions, "threads" | "pool" | "cacheBytes" | "now"> {
  /** The folder that holds the files, or one file. */
  readonly directory: string;
}

/**
 * Reads spans in OTLP JSON (`docs/frameworks.md`), also while files grow: what the Collector's file exporter writes, or a dump.
 *
 * @example
 * const source = createOtlpDataSource({ directory: "./traces" });
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createOtlpDataSource({ directory, ...options }: OtlpDataSourceOptions): InspectorDataSource {
  return new OtlpDataSource(directory, options);
}
