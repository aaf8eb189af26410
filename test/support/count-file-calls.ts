import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PROJECT_ROOT } from "./build.js";
import { temporaryFolder } from "./data-directory.js";

export interface FileCall {
  /** As `node:fs` names it, without `Sync`: `open`, `stat`, `lstat`, `fstat`, `readdir`, `realpath`, `read`, … */
  readonly call: string;
  /** For a descriptor or a handle, the file that it was opened for. */
  readonly path: string;
  /** Result of a `read`. */
  readonly bytes?: number;
  readonly error?: string;
  /** 0 is the main one. */
  readonly thread: number;
  /** The stage at the end of the call; `""` before the first. */
  readonly stage: string;
}

export interface FileCallOptions {
  /** Leaves out calls for files outside of this folder, such as the program's modules. */
  readonly below: string;
  /** `process.argv` from index 2. Default is empty. */
  readonly args?: readonly string[];
}

/**
 * Runs a module in a new process and records its file system calls, with all threads. The module has a function `stage` and imports from
 * the project's folder. Function calls count, not system calls: `realpath` is one, and so is `readFile`.
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
  // A file, because threads do not inherit the options that `--eval` needs.
  const file = path.join(folder, "program.mjs");
  const placed = program.replaceAll('from "./', `from "${pathToFileURL(PROJECT_ROOT).href}/`);
  await writeFile(file, `import { stage } from ${JSON.stringify(recorder.href)};\n${placed}`);
  // Both ways, for threads with their own arguments or environment.
  const env = { ...process.env, NODE_OPTIONS: imports.join(" ") };
  await promisify(execFile)(process.execPath, [...imports, file, ...args], { env, timeout: 50_000 });
  return callsIn(await readFile(log, "utf8"), below);
}

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
