import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

type Functions = Record<string, (...args: unknown[]) => Promise<unknown>>;

const CALLS = ["mkdir", "open", "writeFile", "link", "rm"] as const;

/**
 * Delays file system calls until the end of the test.
 * @param wait resolves when the next call may start
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
