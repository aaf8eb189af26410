import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { rolloutOf } from "../../codex/support/homes.js";
import type { CraftedFolder } from "./crafted-folder.js";

const GEMINI = "tmp/shop/chats/session-2026-05-01T09-00-crafted0.json";

/** A document of many records. @param recordOf the record with a number */
function manyRecords(
  head: string,
  recordOf: (i: number) => string,
  tail: string,
  file: string,
): CraftedFolder["plant"] {
  return (folder, size) => {
    const descriptor = openSync(placeOf(folder, file), "w");
    writeSync(descriptor, head);
    for (let i = 0; i < size; i += 1_000) {
      const records = Array.from({ length: Math.min(1_000, size - i) }, (_, k) => recordOf(i + k));
      writeSync(descriptor, `${i === 0 ? "" : ","}${records.join(",")}`);
    }
    writeSync(descriptor, tail);
    closeSync(descriptor);
  };
}

function placeOf(folder: string, file: string): string {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  return place;
}

const TOO_MANY = /only 50000 records of a document are read/;
const LEFT_OUT = /line \d+ and all later lines, are skipped/;
const GEMINI_HEAD = '{"sessionId":"crafted","startTime":"2026-05-01T09:00:00Z","messages":[';
const ATIF_HEAD =
  '{"schema_version":"ATIF-v1.6","session_id":"crafted","agent":{"name":"a","version":"1"},"steps":[';

const trajectory = (stepOf: (i: number) => string) => manyRecords(ATIF_HEAD, stepOf, "]}", "crafted.json");

/** A step of an agent that is long enough to cause no extra work. */
const longStep = (i: number, members: string) =>
  `{"step_id":${i + 1},"source":"agent","message":"${"x".repeat(60)}",${members}}`;

/** @returns a frame of Zstandard that unpacks to this size: four bytes for each 128 KiB */
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

export const CRAFTED_DOCUMENTS: readonly CraftedFolder[] = [
  {
    name: "a conversation of millions of empty messages",
    format: "gemini-cli",
    plant: manyRecords(GEMINI_HEAD, () => "{}", "]}", GEMINI),
    sizes: [90_000, 5_000_000],
    warning: TOO_MANY,
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
    plant: manyRecords(
      GEMINI_HEAD,
      (i) => `{"id":"${i}","type":"gemini","content":"","model":"m${i}","timestamp":"2026-05-01T09:00:00Z"}`,
      "]}",
      GEMINI,
    ),
    sizes: [2_000, 1_000_000],
  },
  {
    name: "a trajectory of millions of empty steps",
    format: "atif",
    plant: trajectory(() => "{}"),
    sizes: [100_000, 3_000_000],
    warning: TOO_MANY,
  },
  {
    name: "a trajectory of millions of steps that have an id",
    format: "atif",
    plant: trajectory(() => '{"step_id":1,"source":"user","message":""}'),
    sizes: [undefined, 3_000_000],
    warning: TOO_MANY,
  },
  {
    name: "a trajectory of many models",
    format: "atif",
    plant: trajectory((i) => `{"step_id":${i + 1},"source":"agent","message":"","model_name":"m${i}"}`),
    sizes: [2_000, 1_000_000],
  },
  {
    name: "a trajectory of many models in long steps",
    format: "atif",
    plant: trajectory((i) => longStep(i, `"model_name":"m${i}","metrics":{"prompt_tokens":9}`)),
    sizes: [undefined, 1_000_000],
    warning: TOO_MANY,
  },
  {
    name: "a trajectory of many tools",
    format: "atif",
    plant: trajectory((i) =>
      longStep(i, `"tool_calls":[{"tool_call_id":"c${i}","function_name":"f${i}","arguments":{}}]`),
    ),
    sizes: [2_000, 1_000_000],
  },
  {
    name: "a trajectory of many sub-agents",
    format: "atif",
    plant: trajectory((i) =>
      longStep(
        i,
        `"tool_calls":[{"tool_call_id":"c${i}","function_name":"f","arguments":{}}],"observation":{"results":[{"source_call_id":"c${i}","content":"","subagent_trajectory_ref":[{"trajectory_id":"t${i}"}]}]}`,
      ),
    ),
    sizes: [2_000, 300_000],
  },
  {
    name: "a trajectory of many embedded trajectories",
    format: "atif",
    plant: (folder, size) => {
      const one = (i: number) =>
        `{"schema_version":"ATIF-v1.7","trajectory_id":"t${i}","agent":{"name":"a","version":"1"},"steps":[{"step_id":1,"source":"user","message":""}]}`;
      const embedded = Array.from({ length: size }, (_, i) => one(i)).join(",");
      const steps = '{"step_id":1,"source":"user","message":""}],"subagent_trajectories":[';
      writeFileSync(placeOf(folder, "crafted.json"), `${ATIF_HEAD}${steps}${embedded}]}`);
    },
    sizes: [60_000, 300_000],
    warning: LEFT_OUT,
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
    sizes: [20_000, 5_000_000],
  },
];
