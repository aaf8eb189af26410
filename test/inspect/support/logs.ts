import { deflateRawSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { INSPECT_TASKS } from "../../../src/adapters/formats/inspect/inspect-format.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../../../src/adapters/transcripts/source/transcript-data-source.js";
import { asDataSource } from "../../../src/application/sources/lift.js";
import { type Files, folderWith } from "../../support/history-files.js";

export { folderWith as newFolder } from "../../support/history-files.js";

export function inspectSource(root: string, options: TranscriptOptions = { threads: false }) {
  return asDataSource(new TranscriptDataSource(root, INSPECT_TASKS, options));
}

export async function openFiles(files: Files) {
  const source = inspectSource(await folderWith(files));
  onTestFinished(() => source.close?.());
  return source;
}

/** Packed by another method than Deflate, or with a wrong size. */
interface PackedMember {
  readonly packed: Uint8Array;
  readonly method: number;
  readonly size: number;
}

export type Members = readonly (readonly [name: string, content: string | object | PackedMember])[];

/** A zip archive like Inspect's; `isLarge` writes sizes and offsets of eight bytes. */
export function archive(members: Members, { isLarge = false } = {}): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of members) {
    const { packed, method, size } = packedOf(content);
    const named = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(named.length, 26);
    const wide = Buffer.alloc(isLarge ? 28 : 0);
    if (isLarge) {
      wide.writeUInt16LE(1);
      wide.writeUInt16LE(24, 2);
      for (const [i, value] of [size, packed.length, at].entries())
        wide.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
    }
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(method, 10);
    for (const [i, value] of [packed.length, size].entries())
      entry.writeUInt32LE(isLarge ? 0xffffffff : value, 20 + 4 * i);
    entry.writeUInt16LE(named.length, 28);
    entry.writeUInt16LE(wide.length, 30);
    entry.writeUInt32LE(isLarge ? 0xffffffff : at, 42);
    pieces.push(local, named, Buffer.from(packed));
    directory.push(entry, named, wide);
    at += 30 + named.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(isLarge ? 0xffffffff : entries.length, 12);
  end.writeUInt32LE(isLarge ? 0xffffffff : at, 16);
  const largeEnd = Buffer.alloc(isLarge ? 76 : 0);
  if (isLarge) {
    largeEnd.writeUInt32LE(0x06064b50);
    largeEnd.writeBigUInt64LE(BigInt(entries.length), 40);
    largeEnd.writeBigUInt64LE(BigInt(at), 48);
    largeEnd.writeUInt32LE(0x07064b50, 56);
    largeEnd.writeBigUInt64LE(BigInt(at + entries.length), 64);
  }
  return Buffer.concat([...pieces, entries, largeEnd, end]);
}

function packedOf(content: string | object | PackedMember): PackedMember {
  if (typeof content === "object" && "packed" in content) return content as PackedMember;
  const bytes = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  return { packed: deflateRawSync(bytes), method: 8, size: bytes.length };
}

export function about(more: object = {}): object {
  const run = {
    task: "counting",
    model: "openai/gpt-x",
    created: at(0),
    packages: { inspect_ai: "0.3.154" },
  };
  return { version: 2, status: "success", eval: { ...run, config: { epochs: 1 } }, ...more };
}

export function log(samples: readonly object[], more: object = {}): Buffer {
  const written = samples as readonly { id: string | number; epoch?: number; scores?: object }[];
  const members = written.map((one) => [`samples/${one.id}_epoch_${one.epoch ?? 1}.json`, one] as const);
  const summaries = written.map(({ id, epoch = 1, scores }) => ({ id, epoch, scores }));
  return archive([...members, ["summaries.json", summaries], ["header.json", about(more)]]);
}

/** Seconds after nine o'clock. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 4, 1, 9) + second * 1_000).toISOString().replace("Z", "+00:00");
}

export function sample(id: string | number, events: readonly unknown[], more: object = {}): object {
  return { id, epoch: 1, input: "How many?", target: "3", messages: [], events, ...more };
}

export function user(content: unknown, more: object = {}): object {
  return { role: "user", content, source: "input", ...more };
}

export function assistant(content: unknown, more: object = {}): object {
  return { role: "assistant", content, source: "generate", ...more };
}

export function model(second: number, input: readonly object[], answer: object, more: object = {}): object {
  const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110, input_tokens_cache_read: 40 };
  return {
    event: "model",
    timestamp: at(second),
    completed: at(second + 2),
    model: "openai/gpt-x",
    input,
    output: { model: "gpt-x-1", choices: [{ message: answer, stop_reason: "stop" }], usage },
    ...more,
  };
}

export function tool(second: number, id: string, result: unknown, more: object = {}): object {
  const called = { type: "function", id, function: "bash", arguments: { cmd: "ls" } };
  return {
    event: "tool",
    timestamp: at(second),
    completed: at(second + 5),
    ...called,
    result,
    events: [],
    ...more,
  };
}

export function span(second: number, id: string, type: string, name: string, parent?: string): object {
  const under = parent === undefined ? {} : { parent_id: parent };
  return { event: "span_begin", timestamp: at(second), span_id: id, id, type, name, ...under };
}
