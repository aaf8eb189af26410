// Logs every call of `node:fs`, `node:fs/promises` and `FileHandle` of a process and its threads: a line each in the file of `?log=` in
// this module's address. `recordFileCalls` loads it by `--import`, which threads inherit.
import * as fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";
import { threadId } from "node:worker_threads";

const { default: files, promises, writeSync } = fs;
// Synchronous, so that a terminated thread has logged its calls, too.
const log = fs.openSync(new URL(import.meta.url).searchParams.get("log"), "a");

/** These make no call themselves, or call back once for each event. */
const NOT_NOTED = new Set(["constructor", "createReadStream", "createWriteStream", "watch", "watchFile"]);

const open = new Map();
/** True during a logged call: its inner calls are not logged. */
let isInside = false;

/** Calls that end from now on belong to this stage. */
export function stage(name) {
  writeSync(log, `${JSON.stringify({ stage: name })}\n`);
}

function pathOf(target) {
  if (target instanceof URL) return fileURLToPath(target);
  const number = typeof target === "number" ? target : target?.fd;
  return number === undefined ? String(target) : (open.get(number) ?? "");
}

/** @param ofHandle a method of an open file, which is `this` */
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
  // `realpath.native`, and the symbol for `promisify`.
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
// Updates the named exports of `node:fs`.
syncBuiltinESMExports();
