// Notes every call of `node:fs`, `node:fs/promises` and `FileHandle` that a process and its threads make: a line each in the file
// that `?log=` of this module's address names. Loaded by `--import`, which threads inherit; `recordFileCalls` does it.
import * as fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";
import { threadId } from "node:worker_threads";

const { default: files, promises, writeSync } = fs;
// Appended to at once: a thread that is terminated has told of its calls, too.
const log = fs.openSync(new URL(import.meta.url).searchParams.get("log"), "a");

/** What calls nothing itself, or calls back as often as something happens. */
const NOT_NOTED = new Set(["constructor", "createReadStream", "createWriteStream", "watch", "watchFile"]);

/** The files that this thread has open, by their numbers. */
const open = new Map();
/** Whether a noted call has just been called: what it calls itself is not noted again. */
let isInside = false;

/** Begins a stage of the program: the calls that end from now on are told with its name. */
export function stage(name) {
  writeSync(log, `${JSON.stringify({ stage: name })}\n`);
}

function pathOf(target) {
  if (target instanceof URL) return fileURLToPath(target);
  const number = typeof target === "number" ? target : target?.fd;
  return number === undefined ? String(target) : (open.get(number) ?? "");
}

/** @param ofHandle whether it is a method of an open file, which is `this` then */
function noted(name, original, ofHandle) {
  const call = ofHandle && name === "stat" ? "fstat" : name.replace(/Sync$/, "");

  function wrapper(...args) {
    if (isInside) return original.apply(this, args);
    const target = ofHandle ? this : args[0];
    const path = pathOf(target);
    const ended = (error, result) => {
      const value = result?.fd ?? result?.bytesRead ?? result;
      if (call === "open" && typeof value === "number") open.set(value, path);
      // A handle's own, not its prototype's.
      if (call === "open" && typeof result?.close === "function") {
        result.close = noted("close", result.close, true);
      }
      const bytes = /^readv?$/.test(call) && typeof value === "number" ? value : undefined;
      writeSync(log, `${JSON.stringify({ call, path, bytes, error: error?.code, thread: threadId })}\n`);
    };
    const callback = args.at(-1);
    if (typeof callback === "function") {
      args[args.length - 1] = function (error, ...results) {
        ended(error, results[0]);
        return callback.call(this, error, ...results);
      };
    }
    isInside = true;
    let result;
    try {
      result = original.apply(this, args);
    } catch (error) {
      ended(error);
      throw error;
    } finally {
      isInside = false;
    }
    if (typeof result?.then === "function") {
      return result.then(
        (value) => {
          ended(undefined, value);
          return value;
        },
        (error) => {
          ended(error);
          throw error;
        },
      );
    }
    if (typeof callback !== "function") ended(undefined, result);
    return result;
  }
  // `realpath.native`, and what `promisify` asks for.
  return Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(original));
}

function noteAll(object, ofHandle = false) {
  for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (typeof value === "function" && writable && /^[a-z]/.test(name) && !NOT_NOTED.has(name)) {
      object[name] = noted(name, value, ofHandle);
    }
  }
}

const handle = await promises.open(fileURLToPath(import.meta.url));
await handle.close();
noteAll(Object.getPrototypeOf(handle), true);
noteAll(promises);
for (const name of ["realpath", "realpathSync"]) {
  files[name].native = noted(name, files[name].native, false);
}
noteAll(files);
// Only now does `import { openSync } from "node:fs"` give what is noted.
syncBuiltinESMExports();
