import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

type Functions = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** The calls that a store of files waits for. */
const CALLS = ["mkdir", "open", "writeFile", "link", "rm"] as const;

/**
 * Has calls of the file system wait before they are made, until the test has ended.
 *
 * @param wait ends when the next call is made
 */
export function delayFileCalls(wait: () => Promise<void>): void {
  const functions = fs.promises as unknown as Functions;
  const originals = CALLS.map((name) => [name, functions[name]!] as const);
  for (const [name, original] of originals) {
    functions[name] = async (...args) => {
      await wait();
      return original(...args);
    };
  }
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const [name, original] of originals) functions[name] = original;
    syncBuiltinESMExports();
  });
}
