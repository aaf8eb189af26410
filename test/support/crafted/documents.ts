import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { rolloutOf } from "../../codex/support/homes.js";
import type { CraftedFolder } from "./crafted-folder.js";

const GEMINI = "tmp/shop/chats/session-2026-05-01T09-00-crafted0.json";

/** A document of many records that are alike. */
function manyRecords(head: string, record: string, tail: string, file: string): CraftedFolder["plant"] {
  return (folder, size) => {
    const place = placeOf(folder, file);
    const descriptor = openSync(place, "w");
    writeSync(descriptor, head);
    const piece = `${record},`.repeat(10_000);
    for (let i = 0; i < size; i += 10_000) writeSync(descriptor, piece);
    writeSync(descriptor, `${record}${tail}`);
    closeSync(descriptor);
  };
}

function placeOf(folder: string, file: string): string {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  return place;
}

const TOO_SHORT = /records that are shorter than 128 bytes/;
const GEMINI_HEAD = '{"sessionId":"crafted","startTime":"2026-05-01T09:00:00Z","messages":[';
const ATIF_HEAD =
  '{"schema_version":"ATIF-v1.6","session_id":"crafted","agent":{"name":"a","version":"1"},"steps":[';

/** @returns a frame of Zstandard that unpacks to so many bytes: 128 KiB are four bytes of it */
function zeros(bytes: number): Buffer {
  const blocks = Math.ceil(bytes / 131_072);
  const packed = Buffer.alloc(6 + 4 * blocks, 0);
  packed.writeUInt32LE(0xfd2fb528);
  packed[5] = 7 << 3;
  for (let i = 0; i < blocks; i++) {
    packed.writeUIntLE((131_072 << 3) | 2 | (i === blocks - 1 ? 1 : 0), 6 + 4 * i, 3);
    packed[9 + 4 * i] = 0x20;
  }
  return packed;
}

/** Documents with too many records, and packed files that unpack to a thousand times their size. */
export const CRAFTED_DOCUMENTS: readonly CraftedFolder[] = [
  {
    name: "a conversation of millions of empty messages",
    format: "gemini-cli",
    plant: manyRecords(GEMINI_HEAD, "{}", "]}", GEMINI),
    sizes: [90_000, 5_000_000],
    warning: TOO_SHORT,
  },
  {
    name: "a conversation nested deeper than any stack",
    format: "gemini-cli",
    plant: (folder, size) =>
      writeFileSync(placeOf(folder, GEMINI), `${GEMINI_HEAD}${"[".repeat(size)}${"]".repeat(size)}]}`),
    sizes: [100_000, 100_000],
  },
  {
    name: "a conversation of many models",
    format: "gemini-cli",
    plant: (folder, size) => {
      const message = (i: number) =>
        `{"id":"${i}","type":"gemini","content":"","model":"m${i}","timestamp":"2026-05-01T09:00:00Z"}`;
      const messages = Array.from({ length: size }, (_, i) => message(i)).join(",");
      writeFileSync(placeOf(folder, GEMINI), `${GEMINI_HEAD}${messages}]}`);
    },
    sizes: [2_000, 1_000_000],
  },
  {
    name: "a trajectory of millions of empty steps",
    format: "atif",
    plant: manyRecords(ATIF_HEAD, "{}", "]}", "crafted.json"),
    sizes: [100_000, 3_000_000],
    warning: TOO_SHORT,
  },
  {
    name: "a trajectory of millions of steps that have an id",
    format: "atif",
    plant: manyRecords(ATIF_HEAD, '{"step_id":1,"source":"user","message":""}', "]}", "crafted.json"),
    sizes: [100_000, 3_000_000],
    warning: TOO_SHORT,
  },
  {
    name: "packed rollouts of a gigabyte of spaces",
    format: "codex",
    plant: (folder, size) => {
      for (let i = 0; i < 20; i++)
        writeFileSync(placeOf(folder, `${rolloutOf(`crafted-${i}`)}.zst`), zeros(size));
    },
    sizes: [2 ** 26, 2 ** 30],
    warning: /unpacks to more than 64 times its size|took the work that one list does/,
  },
  {
    name: "rollouts of millions of empty lines",
    format: "codex",
    plant: (folder, size) => writeFileSync(placeOf(folder, rolloutOf("crafted")), "{}\n".repeat(size)),
    sizes: [90_000, 5_000_000],
  },
];
