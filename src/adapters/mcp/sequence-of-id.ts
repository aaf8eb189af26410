import { InvalidRequestError } from "../../application/errors.js";
import type { JsonList } from "../../application/questions/json-list.js";
import { isJsonObject } from "../../domain/json/json.js";

const decoder = new TextDecoder();

/**
 * The sequence of the envelope that has an id. A trace has no index by ids: it is read up to there, and only batches that hold the id are
 * parsed.
 *
 * @throws InvalidRequestError where the trace has no such envelope
 */
export async function sequenceOfId({ texts }: JsonList, id: string): Promise<number> {
  const wanted = Buffer.from(JSON.stringify(id));
  for await (const text of texts) {
    if (!Buffer.from(text.buffer, text.byteOffset, text.length).includes(wanted)) continue;
    for (const envelope of JSON.parse(`[${decoder.decode(text)}]`) as unknown[]) {
      if (isJsonObject(envelope) && envelope.id === id) return Number(envelope.sequence);
    }
  }
  throw new InvalidRequestError("id", "is of no envelope in this trace.");
}
