import fs from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runToEnd } from "../../../domain/lists/run-to-end.js";
import { type ScanResult, scanFiles } from "./scan-files.js";

const CHUNK = 64 * 1024;

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "agent-inspector-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(root, name), text);
  return root;
}

/** @param sessions the names of each session's files */
function scan(
  root: string,
  text: string,
  sessions: readonly (readonly string[])[],
  { until = Number.POSITIVE_INFINITY, counts = false } = {},
): ScanResult {
  const files = sessions.map((names) => names.map((name) => path.join(root, name)));
  const query = { kind: "text", text, isExact: false } as const;
  return runToEnd(scanFiles({ root, query, sessions: files, until, counts }));
}

it("finds a text across the border of two chunks, at every place", async () => {
  const wanted = 'né"dle日';
  const forms = [
    'N\u00c9\\"DLE\u65e5',
    "\\u006e\\u00E9\\u0022\\u0064\\u006c\\u0065\\u65E5",
    'n\u00e9\\"d\\u006ce日',
  ];
  const files: Record<string, string> = {};
  for (const [i, form] of forms.entries()) {
    const bytes = Buffer.byteLength(form);
    for (const border of [CHUNK, 2 * CHUNK]) {
      for (let at = border - bytes - 1; at <= border + 1; at++)
        files[`${i} ${at}`] = `${"x".repeat(at)}${form}`;
    }
  }
  const root = await folderOf(files);
  const names = Object.keys(files);
  const { matches } = scan(
    root,
    wanted,
    names.map((name) => [name]),
  );
  expect(names.filter((_, i) => matches[i] === 0)).toEqual([]);
});

it("does not find the end of one file with the beginning of the next", async () => {
  const root = await folderOf({ a: "xxne", b: "edle" });
  expect(scan(root, "needle", [["a", "b"]]).matches).toEqual([0]);
});

it("looks through all files of a session, up to the first that holds it", async () => {
  const root = await folderOf({ a: "x", b: "needle", c: "x" });
  const opened = openedFiles();
  expect(
    scan(root, "needle", [
      ["a", "b", "c"],
      ["a", "c"],
    ]).matches,
  ).toEqual([1, 0]);
  expect(opened.map((file) => path.basename(file)).join("")).toBe("abac");
});

it("finds nothing in a file that is gone, lies outside or is a folder", async () => {
  const root = await folderOf({ a: "needle" });
  const outside = await folderOf({ b: "needle" });
  await symlink(path.join(outside, "b"), path.join(root, "link"));
  const result = scan(root, "needle", [["gone", "a"], ["gone"], ["link"], ["."]]);
  expect(result).toEqual({ matches: [1, 0, 0, 0], problems: [] });
});

it("goes on behind a file that cannot be read, and says which", async () => {
  const root = await folderOf({ a: "needle", b: "needle" });
  const { readSync } = fs;
  let calls = 0;
  fs.readSync = ((...args: Parameters<typeof readSync>) => {
    if (calls++ === 0) throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    return readSync(...args);
  }) as typeof readSync;
  syncBuiltinESMExports();
  const restore = () => {
    fs.readSync = readSync;
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  expect(scan(root, "needle", [["a"], ["a", "b"]])).toEqual({
    matches: [0, 1],
    problems: ["a cannot be read: the disk reports an error."],
  });
});

it("counts each line once that holds the text, in all files of a session, wherever chunks end", async () => {
  const lines = Array.from({ length: 60 }, (_, i) => {
    const needles = "needle".repeat(i % 3);
    return `${"x".repeat((i * 7_919) % 9_000)}${needles}${"y".repeat(i % 5 === 0 ? 70_000 : 40)}${i % 4 === 0 ? needles : ""}`;
  });
  const files: Record<string, string> = {};
  for (let at = 0; at < 8; at++) files[`${at}`] = "z".repeat(CHUNK - 3 * at - 1) + lines.slice(at).join("\n");
  const root = await folderOf(files);
  const count = (name: string) => files[name]!.split("\n").filter((line) => line.includes("needle")).length;
  const names = Object.keys(files);
  const one = names.map((name) => [name]);
  expect(scan(root, "needle", one, { counts: true }).matches).toEqual(names.map(count));
  expect(scan(root, "needle", [names], { counts: true }).matches).toEqual([
    names.reduce((sum, name) => sum + count(name), 0),
  ]);
  expect(scan(root, "needle", one).matches).toEqual(names.map(() => 1));
});

it("begins no second session where its time is over", async () => {
  const root = await folderOf({ a: "needle", b: "needle" });
  expect(scan(root, "needle", [["a"], ["b"]], { until: 0 }).matches).toEqual([1]);
});

/** The files that are opened from now on in the test. */
function openedFiles(): string[] {
  const { openSync } = fs;
  const opened: string[] = [];
  fs.openSync = ((file: fs.PathLike, ...rest: [fs.OpenMode]) => {
    opened.push(String(file));
    return openSync(file, ...rest);
  }) as typeof openSync;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.openSync = openSync;
    syncBuiltinESMExports();
  });
  return opened;
}
