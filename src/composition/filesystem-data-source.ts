import {
  FilesystemDataSource,
  type FilesystemDataSourceOptions,
} from "../adapters/data-directory/filesystem-data-source.js";
import { checkFileSource } from "../adapters/files/catalog/file-source-options.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { asDataSource } from "../application/sources/lift.js";

/**
 * Reads a data directory (`docs/data-directory.md`), also while an application writes it. A worker thread reads the files; it begins with
 * the first request, and `close()` ends it.
 * @param dataDir the folder that contains `tenants`; it need not exist yet
 * @throws TypeError if the folder is not a path, or if an option is invalid
 * @throws RangeError if a number is out of range
 * @example
 * const source = createFilesystemInspectorDataSource("./data", { threads: false }); // for a host without worker threads
 */
export function createFilesystemInspectorDataSource(
  dataDir: string,
  options: FilesystemDataSourceOptions = {},
): InspectorDataSource {
  return asDataSource(new FilesystemDataSource(dataDir, checkFileSource("dataDir", dataDir, options)));
}
