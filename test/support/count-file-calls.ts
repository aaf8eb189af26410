import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PROJECT_ROOT } from "./build.js";
import { temporaryFolder } from "./data-directory.js";

/** One call of the file system that a program made. */
export interface FileCall {
  /** As `node:fs` names it, without `Sync`: `open`, `stat`, `lstat`, `fstat`, `readdir`, `realpath`, `read`, … */
  readonly call: string;
  /** What it was called for. Of a number or a handle, the file that it was opened for. */
  readonly path: string;
  /** How many bytes a `read` gave. */
  readonly bytes?: number;
  /** The code of the error that it ended with. */
  readonly error?: string;
  /** 0 is the main one. */
  readonly thread: number;
  /** The stage of the program that it ended in; `""` before the first. */
  readonly stage: string;
}

export interface FileCallOptions {
  /** Calls for other files than those in this folder are left out: those of Node.js itself, which reads the program's modules. */
  readonly below: string;
  /** What the program finds in `process.argv` from 2 on. Default is nothing. */
  readonly args?: readonly string[];
}

/**
 * Runs a program in a process of its own and answers which calls of the file system it made, in all of its threads and those of
 * pools. It is the text of a module that has a function `stage` and imports from the project's folder.
 *
 * Calls of functions are counted, not of the system: `realpath` is one, and so is `readFile`.
 *
 * ```ts
 * const calls = await recordFileCalls(
 *   `import { createFilesystemInspectorDataSource } from "./dist/src/advanced.js";
 *    const source = createFilesystemInspectorDataSource(process.argv[2]);
 *    await source.listSessions();
 *    stage("again");
 *    await source.listSessions();`,
 *   { below: folder, args: [folder] },
 * );
 * expect(countCalls(calls, "again")).toEqual({ stat: 3 });
 * ```
 */
export async function recordFileCalls(
  program: string,
  { below, args = [] }: FileCallOptions,
): Promise<FileCall[]> {
  const folder = await temporaryFolder();
  const log = path.join(folder, "calls.jsonl");
  const recorder = pathToFileURL(path.join(import.meta.dirname, "record-file-calls.mjs"));
  recorder.searchParams.set("log", log);
  const imports = ["--import", recorder.href];
  // A file, because threads do not take over what `--eval` needs.
  const file = path.join(folder, "program.mjs");
  const placed = program.replaceAll('from "./', `from "${pathToFileURL(PROJECT_ROOT).href}/`);
  await writeFile(file, `import { stage } from ${JSON.stringify(recorder.href)};\n${placed}`);
  // Loaded twice, for threads that are started with arguments or an environment of their own.
  const env = { ...process.env, NODE_OPTIONS: imports.join(" ") };
  await promisify(execFile)(process.execPath, [...imports, file, ...args], { env, timeout: 50_000 });
  return callsIn(await readFile(log, "utf8"), below);
}

/** How often each call was made, in a stage or in all of them. */
export function countCalls(calls: readonly FileCall[], stage?: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const call of calls) {
    if (stage === undefined || call.stage === stage) counts[call.call] = (counts[call.call] ?? 0) + 1;
  }
  return counts;
}

function callsIn(log: string, below: string): FileCall[] {
  const calls: FileCall[] = [];
  let stage = "";
  for (const line of log.split("\n").slice(0, -1)) {
    const noted = JSON.parse(line) as FileCall;
    if (noted.call === undefined) stage = noted.stage;
    else if (noted.path === below || noted.path.startsWith(below + path.sep)) calls.push({ ...noted, stage });
  }
  return calls;
}
