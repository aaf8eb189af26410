import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { isJsonObject, type JsonObject, objectField, textField } from "../../src/domain/json/json.js";

/**
 * Repeats a real history of a coding agent (JSON Lines) in a data directory up to a size. Only for measurements: sizes and texts are
 * those of real work.
 */
export async function writeRealHistory(
  source: string,
  dataDir: string,
  sessionId: string,
  bytes: number,
): Promise<{ events: number; bytes: number }> {
  const folder = path.join(dataDir, "tenants/bench/sessions", sessionId);
  await mkdir(path.join(folder, "trace"), { recursive: true });
  const [session, trace, messages] = await Promise.all(
    ["session.jsonl", "trace/events.jsonl", "messages.jsonl"].map((file) =>
      open(path.join(folder, file), "w"),
    ),
  );
  const init = {
    type: "init",
    sessionId,
    tenantId: "bench",
    userId: "bench",
    title: sessionId,
    createdAt: 1,
  };
  await session!.write(`${JSON.stringify(init)}\n`);
  let events = 0;
  let written = 0;
  for (let round = 0; written < bytes; round++) {
    for await (const line of createInterface({ input: createReadStream(source) })) {
      if (line.trim() === "" || written >= bytes) continue;
      const record: unknown = JSON.parse(line);
      if (!isJsonObject(record)) continue;
      const at = (Date.parse(textField(record, "timestamp") ?? "") || 0) + round * 86_400_000;
      for (const event of eventsOf(record, round)) {
        const envelope = {
          id: `e${events}`,
          timestamp: new Date(at).toISOString(),
          sequence: events++,
          source: "runtime",
          sessionId,
          tenantId: "bench",
          traceId: "main",
          event,
        };
        const text = `${JSON.stringify(envelope)}\n`;
        written += Buffer.byteLength(text);
        await trace!.write(text);
      }
      if (isJsonObject(record.message)) await messages!.write(`${JSON.stringify(record.message)}\n`);
    }
  }
  await Promise.all([session!.close(), trace!.close(), messages!.close()]);
  return { events, bytes: written };
}

function eventsOf(record: JsonObject, round: number): JsonObject[] {
  const message = objectField(record, "message");
  const content = Array.isArray(message.content) ? message.content.filter(isJsonObject) : [];
  if (record.type === "user" && typeof message.content === "string") {
    return [{ type: "turn.start", input: message.content }];
  }
  if (record.type === "user" && content.some((block) => block.type === "tool_result")) {
    return content.map((block) => ({
      type: "tool.end",
      toolCallId: `${round}.${block.tool_use_id}`,
      output: block.content,
      isError: block.is_error === true,
    }));
  }
  if (record.type === "assistant") {
    const callId = `${round}.${message.id}`;
    return [
      { type: "llm.end", callId, model: message.model, usage: message.usage, content: message.content },
      ...content
        .filter((block) => block.type === "tool_use")
        .map((block) => ({
          type: "tool.start",
          toolCallId: `${round}.${block.id}`,
          toolName: block.name,
          input: block.input,
        })),
    ];
  }
  return [{ ...record, type: `record.${record.type}` }];
}
