import {
  FILE_SOURCE_OPTIONS,
  type FileSourceOptions,
} from "../adapters/files/catalog/file-source-options.js";
import { OtlpDataSource } from "../adapters/otlp/otlp-data-source.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { asDataSource } from "../application/sources/lift.js";
import { checkOptions, type OptionTable } from "../domain/options/check-options.js";
import { FOLDER, required } from "../domain/options/option-kinds.js";

export interface OtlpDataSourceOptions
  extends Pick<
    FileSourceOptions,
    "threads" | "pool" | "cacheBytes" | "onProgress" | "readAhead" | "showPath" | "now"
  > {
  /** The folder that holds the files, or one file. */
  readonly directory: string;
}

const { threads, pool, cacheBytes, onProgress, readAhead, showPath, now } = FILE_SOURCE_OPTIONS;
const OTLP_OPTIONS = {
  directory: required(FOLDER),
  threads,
  pool,
  cacheBytes,
  onProgress,
  readAhead,
  showPath,
  now,
} satisfies OptionTable<OtlpDataSourceOptions>;

/**
 * Reads spans in OTLP JSON (`docs/frameworks.md`), also while files grow: what the Collector's file exporter writes, or a dump.
 *
 * @throws TypeError for an option that there is not, or whose value is of another kind
 * @throws RangeError for a number out of range
 *
 * @example
 * const source = createOtlpDataSource({ directory: "./traces" });
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createOtlpDataSource(options: OtlpDataSourceOptions): InspectorDataSource {
  const settings = checkOptions(OTLP_OPTIONS, options);
  return asDataSource(new OtlpDataSource(settings.directory, settings));
}
