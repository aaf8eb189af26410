import {
  FilesystemDataSource,
  type FilesystemDataSourceOptions,
} from "../adapters/data-directory/filesystem-data-source.js";
import { checkFileSource } from "../adapters/files/catalog/file-source-options.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { asDataSource } from "../application/sources/lift.js";

/**
 * Reads a data directory (`docs/data-directory.md`), also while an agent application writes it. Files are read in a worker thread
 * that begins with the first question; `close()` ends it.
 *
 * @param dataDir the folder that holds `tenants`; it need not exist yet
 * @param options with how many threads it reads, or in whose pool, and how much memory it may take
 *
 * @throws TypeError for a folder that is no path, and for an option that there is not, or whose value is of another kind
 * @throws RangeError for a number out of range
 *
 * @example
 * const source = createFilesystemInspectorDataSource("./data", { threads: false }); // for a host without worker threads
 */
export function createFilesystemInspectorDataSource(
  dataDir: string,
  options: FilesystemDataSourceOptions = {},
): InspectorDataSource {
  return asDataSource(new FilesystemDataSource(dataDir, checkFileSource("dataDir", dataDir, options)));
}
