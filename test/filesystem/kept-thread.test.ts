import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";

/** As it is installed: built before all tests. */
const ENTRY = pathToFileURL(path.resolve(import.meta.dirname, "../../dist/src/advanced.js")).href;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kept-thread-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What a program of its own writes that keeps the thread; it fails where it does not end. */
async function outputOf(statement: string): Promise<string> {
  const program = `
    import { createFilesystemInspectorDataSource } from ${JSON.stringify(ENTRY)};
    const source = createFilesystemInspectorDataSource(${JSON.stringify(folder)}, { keepsThread: true });
    ${statement}
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    timeout: 20_000,
  });
  return stdout;
}

it("begins with the source, answers, and lets the process end when that has nothing more to do", async () => {
  const stdout = await outputOf('console.log(await source.hasSession("default", "nobody"));');
  expect(stdout).toBe("false\n");
});

it("lets the process end also when nobody has asked anything", async () => {
  expect(await outputOf("console.log(typeof source);")).toBe("object\n");
});
