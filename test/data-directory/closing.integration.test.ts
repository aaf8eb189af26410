import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { emptySession } from "../support/data-directory.js";

/** As it is installed: built before all tests. */
const ENTRY = pathToFileURL(path.resolve(import.meta.dirname, "../../dist/src/advanced.js")).href;

/** Output of a process with a data directory; it fails if the process does not end by itself. */
async function outputOf(statements: string): Promise<unknown[]> {
  const files = await emptySession();
  await writeFile(files.messages, '{"role":"user","content":"hello"}\n');
  const program = `
    import { createFilesystemInspectorDataSource } from ${JSON.stringify(ENTRY)};
    let begun = 0;
    let running = 0;
    process.on("worker", (worker) => {
      begun++;
      running++;
      worker.on("exit", () => running--);
    });
    const open = (options) => createFilesystemInspectorDataSource(${JSON.stringify(files.dataDir)}, options);
    const countSessions = async (source) => (await source.listSessions()).length;
    const print = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
    ${statements}
  `;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", program],
    { timeout: 20_000 },
  );
  expect(stderr).toBe("");
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

describe("the threads of a filesystem source", () => {
  it("begin with the first question, and do not keep a process that has nothing more to do", async () => {
    const statements = `
      const source = open();
      print(begun);
      print([await countSessions(source), begun, running]);
    `;
    expect(await outputOf(statements)).toEqual([0, [1, 1, 1]]);
  });

  it("are gone once the source is closed", async () => {
    const statements = `
      const source = open({ threads: 2 });
      print(await countSessions(source));
      await Promise.all(["acme", "other"].map((tenantId) => source.loadMessages(tenantId, "s1")));
      await source.close();
      print([begun, running]);
      setInterval(() => {}, 60_000).unref();
    `;
    expect(await outputOf(statements)).toEqual([1, [2, 0]]);
  });

  it("stay for one source when another is closed", async () => {
    const statements = `
      const [one, other] = [open(), open()];
      await Promise.all([countSessions(one), countSessions(other)]);
      await one.close();
      print([await countSessions(other), (await other.loadMessages("acme", "s1")).length, running]);
      await other.close();
      print(running);
    `;
    expect(await outputOf(statements)).toEqual([[1, 1, 1], 0]);
  });

  it("may be closed before they began, and while they work", async () => {
    const statements = `
      await open().close();
      const source = open();
      const list = countSessions(source).catch(() => "not read");
      await source.close();
      print([await list, running]);
    `;
    const [[, running]] = (await outputOf(statements)) as [[unknown, number]];
    expect(running).toBe(0);
  });

  it("are none where the host forbids them", async () => {
    const statements = `
      const source = open({ threads: false });
      print([await countSessions(source), (await source.loadMessages("acme", "s1")).length, begun]);
      await source.close();
    `;
    expect(await outputOf(statements)).toEqual([[1, 1, 0]]);
  });
});
