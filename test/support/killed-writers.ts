import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { createInspectorRoute } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";

const PROGRAM = path.join(import.meta.dirname, "killed-writer.mjs");

/** Texts of the form `list id`. */
export type Records = Set<string>;

/** Kills the process `lifetime` milliseconds after its first record. */
async function writeUntilKilled(
  dataDir: string,
  writer: number,
  maxBytes: number,
  lifetime: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [PROGRAM, dataDir, String(writer), String(maxBytes)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  await once(child.stdout, "data");
  // Each kill comes at another moment of an append.
  await wait(lifetime);
  child.kill("SIGKILL");
  await once(child, "close");
  return output.split("\n").slice(0, -1);
}

export interface KilledWriters {
  readonly kills: number;
  readonly maxBytes: number;
  readonly random: () => number;
}

/** Four processes write to one session; a new one replaces each that is killed. Every acknowledged record must be stored. */
export async function killWriters(dataDir: string, options: KilledWriters): Promise<Records> {
  const acknowledged: Records = new Set();
  let started = 0;
  const write = async () => {
    while (started < options.kills) {
      const lifetime = 100 + options.random() * 2_000;
      for (const record of await writeUntilKilled(dataDir, started++, options.maxBytes, lifetime)) {
        acknowledged.add(record);
      }
    }
  };
  await Promise.all([write(), write(), write(), write()]);
  return acknowledged;
}

/** Polls messages and trace until `stopped`; fails if an answer does not parse. */
export async function readUntil(stopped: Promise<unknown>, source: InspectorDataSource): Promise<number> {
  let isStopped = false;
  void stopped.finally(() => {
    isStopped = true;
  });
  let answers = 0;
  while (!isStopped) {
    for (const list of ["messages", "trace"]) {
      const text = await completeAnswer(source, `/sessions/s1/${list}?tenantId=acme&limit=20`);
      if (text === undefined) continue;
      JSON.parse(text);
      answers++;
    }
  }
  return answers;
}

/** `undefined` before the session exists, after two changes before the first byte, and for an answer that a replacement broke off. */
async function completeAnswer(source: InspectorDataSource, request: string): Promise<string | undefined> {
  const app = createInspectorRoute(source, { onError: () => {} });
  const response = await app.request(request);
  if (![200, 404, 503].includes(response.status)) throw new Error(`${request} is ${response.status}`);
  return response.ok ? response.text().catch(() => undefined) : undefined;
}

/** Counts each record in the session's files, with replaced conversations. */
export async function storedRecords(dataDir: string): Promise<Map<string, number>> {
  const files = sessionFiles(dataDir, "acme", "s1");
  const counts = new Map<string, number>();
  const count = (record: string) => counts.set(record, (counts.get(record) ?? 0) + 1);
  for (const file of await conversations(files.messages, files.compactions)) {
    for await (const { id } of recordsIn<{ id: number }>(file)) count(`message ${id}`);
  }
  for await (const { event } of recordsIn<{ event: { id: number } }>(files.trace)) count(`event ${event.id}`);
  for await (const { type, inputTokens } of recordsIn<{ type: string; inputTokens: number }>(files.session)) {
    count(type === "turn" ? `turn ${inputTokens}` : type);
  }
  return counts;
}

/** The current conversation has two names, but counts once. */
async function conversations(messages: string, folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith(".draft"));
  const files = new Map<number, string>();
  for (const file of [messages, ...names.map((name) => path.join(folder, name))]) {
    if (existsSync(file)) files.set((await stat(file)).ino, file);
  }
  return [...files.values()];
}

/** Leaves out torn lines. */
async function* recordsIn<T>(file: string): AsyncGenerator<T> {
  if (!existsSync(file)) return;
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    let record: T | undefined;
    try {
      record = JSON.parse(line) as T;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    if (record !== undefined) yield record;
  }
}
