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

export interface FileSourceOptions extends ThreadOptions {
  /** Approximate memory for data derived from files, in bytes. Default is 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /**
   * Cache folder of the session list: the next process does not read unchanged files again. Sources and processes may share it; its
   * content (titles and paths, at most 256 MiB) is never trusted, and its failures are ignored. Default is no cache.
   */
  readonly cacheDir?: string | undefined;
  /** Called about once a second during the reading of the session list. Default is no call. */
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
  /**
   * Number of newest sessions to read in advance at the creation of the source; 0 only discovers sessions. The first list then has the
   * state of this reading. Default is no reading in advance.
   */
  readonly readAhead?: number | undefined;
  /**
   * True if callers with access to all tenants receive the folder's path in responses about sources. Default is false: it is a path of
   * the machine.
   */
  readonly showPath?: boolean | undefined;
  /** Milliseconds since the epoch. Default is the system's clock. */
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
 * @param name name of the parameter `folder`
 * @returns a copy of the options
 * @throws TypeError for an invalid folder, an unknown option, or a value of another type
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

export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
