import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { InspectorDataSource } from "../../src/index.js";
import { PROJECT_ROOT } from "./build.js";
import { type FileCall, recordFileCalls } from "./count-file-calls.js";

const PROGRAM = path.join(import.meta.dirname, "list-process.mjs");

const SOURCES = {
  "claude-code": ["createClaudeCodeDataSource", "claude-code"],
  codex: ["createCodexDataSource", "codex"],
  filesystem: ["createFilesystemInspectorDataSource", "advanced"],
} as const;

export type Kind = keyof typeof SOURCES;

export async function listAnew(kind: Kind, root: string): Promise<unknown[]> {
  const [name, module] = SOURCES[kind];
  const entry: Record<string, (root: string, options: object) => InspectorDataSource> = await import(
    path.join(PROJECT_ROOT, `dist/src/${module}.js`)
  );
  const source = entry[name]!(root, { threads: false });
  try {
    // JSON drops undefined members.
    return JSON.parse(JSON.stringify(await source.listSessions()));
  } finally {
    await source.close?.();
  }
}

/** A thread with its own modules acts like a new process, in a quarter of the time. */
export async function listOfNewThread(kind: Kind, root: string, cacheDir: string): Promise<unknown[]> {
  await settled(root);
  const argv = [...SOURCES[kind], root, cacheDir];
  return JSON.parse(await text(new Worker(PROGRAM, { argv, stdout: true }).stdout));
}

/** Kills the process `lifetime` milliseconds after its first list. */
export async function listUntilKilled(
  kind: Kind,
  root: string,
  cacheDir: string,
  lifetime: number,
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...SOURCES[kind], root, cacheDir, "again"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  // Each kill comes at another moment of a write.
  await wait(lifetime);
  child.kill("SIGKILL");
  await once(child, "close");
}

/** @param withFacts default is false */
export async function historiesRead(
  kind: Kind,
  root: string,
  cacheDir: string,
  withFacts = false,
): Promise<string[]> {
  await settled(root);
  const [name, module] = SOURCES[kind];
  const calls = await recordFileCalls(
    `import { ${name} as create } from "./dist/src/${module}.js";
     const source = create(process.argv[2], { threads: false, cacheDir: process.argv[3] });
     await ${withFacts ? "source.findSessions({ withFacts: true })" : "source.listSessions()"};
     await source.close();`,
    { below: root, args: [root, cacheDir] },
  );
  const isReading = ({ call, path: file }: FileCall) => /^(open|read)/.test(call) && file.endsWith(".jsonl");
  return [...new Set(calls.filter(isReading).map((call) => path.relative(root, call.path)))].sort();
}

/** Waits until every change of a file gives another time: recent changes are not cached. */
export async function settled(root: string): Promise<void> {
  const names = await readdir(root, { recursive: true });
  const files = await Promise.all(names.map((name) => stat(path.join(root, name)).catch(() => undefined)));
  const newest = Math.max(...files.map((file) => file?.ctimeMs ?? 0));
  while (Date.now() - newest <= 60) await wait(10);
}
