// @ts-check
/**
 * The thread behind `FileThread`: does file system calls in one go, which would hold up the event loop anywhere else. It is
 * JavaScript, so that the same file serves from source, from the build and in a bundle.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { parentPort } from "node:worker_threads";

if (parentPort === null) throw new Error("file-thread-worker runs as a worker");
const port = parentPort;

const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** What stands for a file that may not be looked at; `FileThread.stat` says so. */
const UNREADABLE = -1;

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"]);

port.on("message", (/** @type {import("./file-thread.js").FileThreadTask} */ task) => {
  if (task.kind === "stat" || task.kind === "identities") {
    const identities = task.kind === "stat" ? statAll(task.folders, task.names) : statFiles(task.paths);
    port.postMessage({ id: task.id, result: identities }, [identities.buffer]);
  } else {
    const files = task.paths.map((file) => readEnds(task.root, file, task.beginning, task.end));
    const memory = new Set(
      files.flatMap((file) => (file === null ? [] : [file.beginning.buffer, file.end.buffer])),
    );
    port.postMessage({ id: task.id, result: files }, [...memory]);
  }
});

/**
 * @param {readonly string[]} folders
 * @param {readonly string[]} names
 * @returns {Float64Array<ArrayBuffer>} four numbers a file: device, inode, size, modification time
 */
function statAll(folders, names) {
  const identities = new Float64Array(folders.length * names.length * 4).fill(Number.NaN);
  let at = 0;
  for (const folder of folders) {
    for (const name of names) {
      if (name === "") identify(identities, at, folder, (stats) => stats.isDirectory());
      else identify(identities, at, folder + path.sep + name, isFile);
      at += 4;
    }
  }
  return identities;
}

/**
 * @param {readonly string[]} paths
 * @returns {Float64Array<ArrayBuffer>} as `statAll`
 */
function statFiles(paths) {
  const identities = new Float64Array(paths.length * 4).fill(Number.NaN);
  for (const [i, file] of paths.entries()) identify(identities, i * 4, file, isFile);
  return identities;
}

/** @param {import("node:fs").Stats} stats */
function isFile(stats) {
  return stats.isFile();
}

/**
 * @param {Float64Array} identities
 * @param {number} at
 * @param {string} file
 * @param {(stats: import("node:fs").Stats) => boolean} isWanted
 */
function identify(identities, at, file, isWanted) {
  const stats = statOne(file);
  if (stats === "unreadable") identities.fill(UNREADABLE, at, at + 4);
  else if (stats !== undefined && isWanted(stats)) {
    identities.set([stats.dev, stats.ino, stats.size, stats.mtimeMs], at);
  }
}

/** @param {string} file */
function statOne(file) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "") throw error;
    return ABSENT.has(code) ? undefined : "unreadable";
  }
}

/**
 * @param {string} root
 * @param {string} file
 * @param {number} beginning
 * @param {number} end
 * @returns {import("./file-thread.js").FileEnds | null}
 */
function readEnds(root, file, beginning, end) {
  const real = found(() => realpathSync.native(file));
  if (real === undefined || !real.startsWith(root + path.sep)) return null;
  const descriptor = found(() => openSync(real, READ_ONLY));
  if (descriptor === undefined) return null;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return null;
    const identity = { device: stats.dev, inode: stats.ino, size: stats.size, modifiedAt: stats.mtimeMs };
    const isSmall = stats.size <= beginning + end;
    return {
      identity,
      beginning: readPart(descriptor, 0, isSmall ? stats.size : beginning),
      end: isSmall ? new Uint8Array(0) : readPart(descriptor, stats.size - end, end),
    };
  } finally {
    closeSync(descriptor);
  }
}

/** @param {number} descriptor @param {number} from @param {number} length */
function readPart(descriptor, from, length) {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const bytesRead = readSync(descriptor, bytes, done, length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/**
 * What is not there, or may not be looked at, is nothing: whoever asks for it by itself is told why.
 *
 * @template T
 * @param {() => T} call
 * @returns {T | undefined}
 */
function found(call) {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
