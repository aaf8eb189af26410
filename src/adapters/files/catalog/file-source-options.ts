import type { ListProgress } from "../../../application/ports/list-progress.js";
import { checkOptions, type OptionTable } from "../../../domain/options/check-options.js";
import {
  BOOLEAN,
  FOLDER,
  FUNCTION,
  integerFrom,
  numberFrom,
  required,
} from "../../../domain/options/option-kinds.js";
import { THREAD_OPTIONS, type ThreadOptions } from "../threads/thread-pool.js";

/** Options of a source that reads files. */
export interface FileSourceOptions extends ThreadOptions {
  /** About how much memory may go into what was derived from files, in bytes. Default is 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /**
   * Folder in which the session list caches file data for the next process: files that have not changed are not read again. It is created
   * if it does not exist; several sources and processes may share it. Its content is never trusted, and a folder that cannot be read or
   * written changes nothing else. It holds titles and paths, and uses 256 MiB at most. Default is no cache.
   */
  readonly cacheDir?: string | undefined;
  /** Called about once a second while the session list is being read. Default is no call. */
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
  /**
   * Number of newest sessions that are read as soon as the source is created, for a page that will request them. With 0, the sessions are
   * only discovered. The first list then shows the histories as of the start of this reading. Default is no reading ahead.
   */
  readonly readAhead?: number | undefined;
  /**
   * True if a caller with access to all tenants gets the folder's path in answers about sources. Default is false: it is a path of the
   * machine.
   */
  readonly showPath?: boolean | undefined;
  /** The clock, in milliseconds since the epoch. Default is the system's. */
  readonly now?: (() => number) | undefined;
}

export const FILE_SOURCE_OPTIONS = {
  ...THREAD_OPTIONS,
  cacheBytes: integerFrom(0, "a number of bytes"),
  cacheDir: FOLDER,
  onProgress: FUNCTION,
  readAhead: numberFrom(0, "a number of sessions"),
  showPath: BOOLEAN,
  now: FUNCTION,
} satisfies OptionTable<FileSourceOptions>;

/**
 * Checks the arguments of a source that reads files.
 *
 * @param name of the parameter `folder`
 * @returns a copy of the options
 * @throws TypeError for a folder that is not a path, and for an option that does not exist, or whose value has another type
 * @throws RangeError for a number out of range
 */
export function checkFileSource<Options extends object>(
  name: string,
  folder: string,
  options: Options,
): Options {
  checkOptions({ [name]: required(FOLDER) }, { [name]: folder });
  return checkOptions(FILE_SOURCE_OPTIONS, options);
}

/** Default of `cacheBytes`. */
export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
