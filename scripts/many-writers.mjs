/**
 * `npm run test:many-writers`: the tests of many writers, of killed ones and of a killed server, at full size. A word behind `--`
 * (`filesystem`, `postgres`) names one of them.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const tests = `${process.argv[2] ?? ""}/many-writers.test.ts`;
const { status } = spawnSync(process.execPath, [vitest, "run", "--project", "integration", tests], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, MANY_WRITERS_RECORDS: "10000", KILLED_WRITERS: "100" },
});
process.exitCode = status ?? 1;
