import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { writeHistory } from "../support/embedding.js";
import { installed, packedInto, runs } from "../support/installed.js";

const { exports, bin } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin: Readonly<Record<string, string>>;
};
/** `./testing` defines suites: it needs the `describe` of a test run. */
const ENTRIES = Object.keys(exports).filter((entry) => !/\.(json|yaml)$|^\.\/testing$/.test(entry));
const STARTS = 20;

const RUNTIMES = {
  bun: ["run"],
  deno: ["run", "--allow-all", "--node-modules-dir=manual"],
} as const;

let folder: string;
let modules: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "runtimes-"));
  const peers = [
    "hono@4.13.19",
    "pg@8.23.1",
    "@langchain/core@1.4.0",
    "@opentelemetry/sdk-trace-base@2.12.0",
  ];
  modules = await installed(folder, [packedInto(folder), ...peers, "bun@1.4.5", "deno@2.9.6"]);
  await writeHistory(folder);
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(Object.entries(RUNTIMES))("%s", (runtime, args) => {
  // The order in which Bun evaluates CommonJS modules varies from start to start.
  it.for(ENTRIES)(`starts ${STARTS} times with the entry point %s`, (entry, { skip }) => {
    const file = path.join(folder, `${entry.replaceAll(/\W/g, "_")}.mjs`);
    const specifier = path.posix.join("agent-inspector", entry);
    writeFileSync(file, `import * as entry from "${specifier}"; console.log(Object.keys(entry).length > 0);`);
    const starts = printedBy(file) ?? skip(`npm could not install ${runtime} here`);
    expect(starts).toEqual(starts.map(() => "true\n"));
  });

  it(`starts the command ${STARTS} times`, ({ skip }) => {
    const main = path.join(modules, "agent-inspector", bin["agent-inspector"]!);
    const starts = printedBy(main, "list", "data") ?? skip(`npm could not install ${runtime} here`);
    expect(starts).toEqual(starts.map(() => expect.stringMatching(/^LAST ACTIVE.*\n.*A title\n/)));
  });

  /** `undefined` where the runtime is not installed. */
  function printedBy(...file: readonly string[]): readonly string[] | undefined {
    const command = path.join(modules, ".bin", runtime);
    if (!runs(command)) return undefined;
    return Array.from({ length: STARTS }, () => {
      const { stdout, stderr } = spawnSync(command, [...args, ...file], { cwd: folder, encoding: "utf8" });
      return stdout + stderr;
    });
  }
});
