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
  /** A folder of files, or one file. */
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
 * Reads spans in OTLP JSON (`docs/frameworks.md`), also while files grow: of the Collector's file exporter, or a dump.
 * @throws TypeError if an option does not exist or has a value of another kind
 * @throws RangeError if a number is out of range
 * @example
 * const source = createOtlpDataSource({ directory: "./traces" });
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createOtlpDataSource(options: OtlpDataSourceOptions): InspectorDataSource {
  const settings = checkOptions(OTLP_OPTIONS, options);
  return asDataSource(new OtlpDataSource(settings.directory, settings));
}
