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

/** How a source that reads files does so. */
export interface FileSourceOptions extends ThreadOptions {
  /** About how much memory may go into what was derived from files, in bytes. Default is 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /**
   * A folder in which the session list keeps what it read of files, for the next process: files that have not changed are not read
   * again. It is made where it is not there; several sources and processes may share one. What is in it is never trusted, and
   * a folder that cannot be read or written changes nothing else. It holds titles and paths, and takes 256 MiB at most.
   * Default is none.
   */
  readonly cacheDir?: string | undefined;
  /** Called about once a second while the session list is being read. Default is no call. */
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
  /**
   * How many of the newest sessions are read as soon as the source is made, for a page that will ask for them; with 0 it is found out which there
   * are. The first list is then as the histories were when it began. Default is nothing.
   */
  readonly readAhead?: number | undefined;
  /**
   * Whether a caller who may see all tenants is told the folder's path, where it is asked about sources. Default is that nobody is: it is a
   * path of the machine.
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
 * Checks what a source that reads files is made of.
 *
 * @param name of the parameter `folder`
 * @returns a copy of the options
 * @throws TypeError for a folder that is no path, and for an option that there is not, or whose value is of another kind
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

/** What `cacheBytes` is by default. */
export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
