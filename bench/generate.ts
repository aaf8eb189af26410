import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type TraceSize, writeMessages, writeTrace } from "./data.js";
import { ServerProcess } from "./measure.js";
import type { Shape } from "./shapes.js";

export interface GeneratedList {
  readonly dataDir: string;
  readonly at: string;
  readonly member: "envelopes" | "messages";
  readonly entries: number;
}

const SESSION = { tenantId: "acme", sessionId: "measured" };

export async function generateTrace(folder: string, shape: Shape, size: TraceSize): Promise<GeneratedList> {
  const dataDir = path.join(folder, "data");
  const entries = await writeTrace(dataDir, SESSION, shape, size);
  await written();
  return { dataDir, at: "/sessions/measured/trace?tenantId=acme", member: "envelopes", entries };
}

export async function generateMessages(
  folder: string,
  messages: number,
  bytes: number,
): Promise<GeneratedList> {
  const dataDir = path.join(folder, "data");
  await writeMessages(dataDir, SESSION, messages, bytes);
  await written();
  return {
    dataDir,
    at: "/sessions/measured/messages?tenantId=acme",
    member: "messages",
    entries: messages,
  };
}

/** Waits for the disk: pending writes would disturb the measurement. */
export async function written(): Promise<void> {
  await promisify(execFile)("sync");
}

/**
 * An answer of the service, from a process that is not measured; the yardstick streams these bytes.
 * @returns the file with the answer
 * @throws Error unless the answer has every generated entry, and a trace is numbered along its list
 */
export async function takeReadyBody({ dataDir, at, member, entries }: GeneratedList): Promise<string> {
  const service = await ServerProcess.start("service", "data-directory", dataDir);
  const body = Buffer.from(await (await fetch(`${service.base}/__inspector${at}`)).arrayBuffer());
  await service.stop();
  const list = (JSON.parse(body.toString()) as Record<string, { readonly sequence?: number }[]>)[member]!;
  if (list.length !== entries) throw new Error(`${at} has ${list.length} entries instead of ${entries}`);
  if (member === "envelopes" && !list.every(({ sequence }, i) => sequence === i)) {
    throw new Error(`${at} is not numbered 0, 1, 2, …`);
  }
  const file = path.join(path.dirname(dataDir), "ready.json");
  await writeFile(file, body);
  return file;
}
