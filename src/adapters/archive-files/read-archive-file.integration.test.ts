import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { archiveOf, linesOf } from "../../../test/support/archive.js";
import { homeFolder, run } from "../../../test/support/command-line.js";
import { temporaryFolder } from "../../../test/support/data-directory.js";
import { createInMemoryInspectorDataSource } from "../../composition/in-memory-data-source.js";
import { PACKED_BEGIN, PACKED_END, PACKED_MARK } from "../archive/packed-text.js";
import { packArchive } from "./pack-archive.js";

const BEFORE = `<!doctype html><html><meta charset="windows-1252">${PACKED_MARK}<script>alert("${PACKED_BEGIN.slice(8)}")</script>`;

let lines: readonly string[];
let html: Buffer;

beforeAll(async () => {
  const source = createInMemoryInspectorDataSource([
    {
      sessionId: "s1",
      tenantId: "acme",
      title: "Mend the cart",
      createdAt: Date.UTC(2026, 0, 1),
      messages: Array.from({ length: 400 }, (_, i) => ({
        role: "user",
        content: `message ${i * i} of the cart`,
      })),
    },
  ]);
  lines = await archiveOf(source);
  const pieces: Uint8Array[] = [Buffer.from(`${BEFORE}${PACKED_BEGIN}`)];
  for await (const bytes of packArchive(linesOf(lines))) pieces.push(bytes);
  html = Buffer.concat([...pieces, Buffer.from(`${PACKED_END}</html>`)]);
});

const textOf = (some: readonly string[]) => some.map((line) => `${line}\n`).join("");

/** Returns the output of `list` for a file. */
async function listed(name: string, contents: string | Buffer, ...more: readonly string[]) {
  await homeFolder();
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, contents);
  return { file, ...(await run("list", file, ...more)) };
}

describe("a file that was exported is opened by the command line", () => {
  test.each<[string, () => string | Buffer]>([
    ["session.html", () => html],
    ["session.jsonl", () => textOf(lines)],
    ["renamed.txt", () => textOf(lines)],
    ["from-windows.jsonl", () => textOf(lines).replaceAll("\n", "\r\n")],
  ])("as %s", async (name, contents) => {
    const { stdout, code } = await listed(name, contents());
    expect(code).toBe(0);
    expect(stdout).toContain("acme/s1");
    expect(stdout).toContain("Mend the cart");
  });

  test.each<[string, () => string | Buffer, string]>([
    ["cut.html", () => html.subarray(0, -300), "is damaged (its end is missing)"],
    ["without.html", () => `${BEFORE}</html>`, "is damaged (the sessions in it are missing)"],
    ["changed.html", () => Buffer.from(html.toString("latin1"), "utf8"), "Take the file as it was written"],
    ["cut.jsonl", () => textOf(lines.slice(0, -1)), "breaks off: its end is missing"],
    [
      "later.jsonl",
      () => textOf(lines).replace('"version":1', '"version":9'),
      "written by a later agent-inspector",
    ],
  ])("but says what is wrong with %s", async (name, contents, problem) => {
    const { stderr, code, file } = await listed(name, contents());
    expect(stderr).toContain(`error: "${file}" cannot be opened. It `);
    expect(stderr).toContain(problem);
    expect(code).toBe(2);
  });

  test("and another file is not, whatever it is called", async () => {
    for (const [name, contents] of [
      ["page.html", "<!doctype html><title>agent-inspector</title>"],
      ["log.jsonl", '{"archive":{"format":"other"}}\n'],
    ] as const) {
      expect((await listed(name, contents)).stderr).toContain("is a file in which no history is recognised");
      expect((await listed(name, contents, "--source", "export")).stderr).toContain(
        "No exported session is in it.",
      );
    }
  });
});

test("an exported file among the files of another tool is not taken for one of that tool's", async () => {
  await homeFolder();
  const folder = path.join(await temporaryFolder(), "projects", "-shop");
  await mkdir(folder, { recursive: true });
  await appendFile(path.join(folder, "session.jsonl"), textOf(lines));
  expect((await run("list", folder)).stdout).not.toContain("s1");
  expect(await readFile(path.join(folder, "session.jsonl"), "utf8")).toBe(textOf(lines));
});
