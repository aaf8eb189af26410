/** `npm run test:many-writers`: the tests of many writers and of a killed server, at full size. */
import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "test/postgres/many-writers.test.ts"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, MANY_WRITERS_RECORDS: "10000" },
});
process.exitCode = status ?? 1;
