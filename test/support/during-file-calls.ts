import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

export interface Change {
  readonly make: () => void;
  readonly undo: () => void;
}

type Functions = Record<string, (...args: unknown[]) => unknown>;

/** Calls that may follow a link, and those that report its target. */
const CALLS: readonly (readonly [object, readonly string[]])[] = [
  [fs, ["openSync", "statSync", "lstatSync", "readdirSync", "readlinkSync"]],
  [fs.promises, ["open", "stat", "lstat", "realpath", "readlink"]],
  [fs.promises, ["mkdir", "readdir", "writeFile", "rename", "link", "rm"]],
  [fs.realpathSync, ["native"]],
];

/**
 * Makes a change just before one file system call and undoes it before a later one, for every call of the work and each of the `lengths`,
 * in calls. So it loses every possible race.
 * @param work makes its calls on this process's event loop, and does not fail
 */
export async function duringFileCalls<T>(
  { make, undo }: Change,
  lengths: readonly number[],
  work: () => Promise<T>,
  check: (result: T) => void,
): Promise<void> {
  for (const length of lengths) {
    for (let first = 0; ; first++) {
      let [calls, isMade] = [0, false];
      const restore = beforeCalls(() => {
        if (calls === first) make();
        if (calls === first + length) undo();
        isMade = calls >= first && calls < first + length;
        calls++;
      });
      const result = await work().finally(restore);
      if (isMade) undo();
      check(result);
      if (calls <= first) break;
    }
  }
}

/** @returns restores the calls */
function beforeCalls(before: () => void): () => void {
  const undone: (() => void)[] = [];
  for (const [object, names] of CALLS) {
    const functions = object as Functions;
    for (const name of names) {
      const original = functions[name]!;
      functions[name] = Object.assign((...args: unknown[]) => {
        before();
        return original.apply(functions, args);
      }, original);
      undone.push(() => {
        functions[name] = original;
      });
    }
  }
  syncBuiltinESMExports();
  return () => {
    for (const undo of undone) undo();
    syncBuiltinESMExports();
  };
}
