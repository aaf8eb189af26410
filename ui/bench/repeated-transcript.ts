import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { isJsonObject, type JsonObject, objectField, textField } from "../../src/domain/json/json.js";

const DAY_MS = 86_400_000;

/**
 * Repeats a real session of Claude Code up to a size: each round is a day later, with other ids.
 * @returns its file
 */
export async function writeRepeatedTranscript(
  source: string,
  projects: string,
  sessionId: string,
  bytes: number,
): Promise<string> {
  const folder = path.join(projects, "-bench");
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${sessionId}.jsonl`);
  const written = await open(file, "w");
  let size = 0;
  for (let round = 0; size < bytes; round++) {
    for await (const line of createInterface({ input: createReadStream(source) })) {
      const record: unknown = line.trim() === "" || size >= bytes ? undefined : JSON.parse(line);
      if (!isJsonObject(record)) continue;
      const text = `${JSON.stringify(inRound(record, round))}\n`;
      size += Buffer.byteLength(text);
      await written.write(text);
    }
  }
  await written.close();
  return file;
}

function inRound(record: JsonObject, round: number): JsonObject {
  const message = objectField(record, "message");
  const content = Array.isArray(message.content)
    ? message.content.map((block) =>
        isJsonObject(block) ? withIds(block, ["id", "tool_use_id"], round) : block,
      )
    : message.content;
  const at = Date.parse(textField(record, "timestamp") ?? "");
  return {
    ...withIds(record, ["uuid", "parentUuid"], round),
    ...(Number.isNaN(at) ? {} : { timestamp: new Date(at + round * DAY_MS).toISOString() }),
    ...(isJsonObject(record.message) ? { message: { ...withIds(message, ["id"], round), content } } : {}),
  };
}

/** Ids stay valid: only their first digits differ for each round. */
function withIds(record: JsonObject, names: readonly string[], round: number): JsonObject {
  const ids = names.flatMap((name) => {
    const id = textField(record, name);
    return id === undefined ? [] : [[name, `${id.slice(0, -6)}${round.toString(16).padStart(6, "0")}`]];
  });
  return { ...record, ...Object.fromEntries(ids) };
}
