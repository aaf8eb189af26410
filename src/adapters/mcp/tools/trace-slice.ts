import { z } from "zod";
import { InvalidRequestError } from "../../../application/errors.js";
import type { InspectorUseCases } from "../../../application/questions/endpoints.js";
import type { JsonList } from "../../../application/questions/json-list.js";
import type { Window } from "../../../application/questions/window.js";
import { isJsonObject } from "../../../domain/json/json.js";
import { listAnswer, partOfOnly, recordsOf, warningsOf } from "../answers.js";
import { changed, FROM, JSON_FROM, PAGE, SESSION, type Tool, tool, windowOf } from "../tool.js";

export function traceSliceTool({ getSessionTrace }: InspectorUseCases): Tool {
  return tool({
    name: "trace_slice",
    title: "Read a part of a trace",
    description:
      "What happened in a session, in order: turns, model calls (llm.*), tool calls (tool.*), texts, compactions, errors, then the lives of " +
      "sub-agents. Events with an agentId are of that sub-agent, those without of the main agent. sequence orders the whole trace. " +
      "tenantId and sessionId are left out of each envelope.",
    input: z.strictObject({
      ...SESSION,
      from: FROM.describe(
        "Begins at the first envelope with at least this sequence; in the place of cursor.",
      ),
      id: z
        .string()
        .min(1)
        .optional()
        .describe(
          "Begins at the envelope of this id, such as a stepId of session_summary; in the place of cursor and from.",
        ),
      ...PAGE,
      jsonFrom: JSON_FROM,
    }),
    async execute({ limit, cursor, from, id, jsonFrom, ...session }, signal) {
      const find = async (window: Window) =>
        changed(await getSessionTrace.execute({ ...session, window }, { signal }));
      if (id !== undefined && (cursor ?? from) !== undefined) {
        throw new InvalidRequestError("id", "cannot be given together with from or cursor.");
      }
      const begin = id === undefined ? from : await sequenceOfId(await find({}), id);
      const list = await find(windowOf({ limit, cursor, from: begin }, jsonFrom));
      if (jsonFrom !== undefined) return partOfOnly(list, jsonFrom);
      return listAnswer({
        member: "envelopes",
        records: await recordsOf(list, withoutSession),
        nextCursor: list.nextCursor,
        rest: warningsOf(list.warnings),
        whole: "To read an envelope whole: from its sequence, with jsonFrom 0.",
      });
    },
  });
}

const decoder = new TextDecoder();

/**
 * The sequence of the envelope that has an id. A trace has no index by ids: it is read up to there, and only batches that hold the id are
 * parsed.
 *
 * @throws InvalidRequestError where the trace has no such envelope
 */
async function sequenceOfId({ texts }: JsonList, id: string): Promise<number> {
  const wanted = Buffer.from(JSON.stringify(id));
  for await (const text of texts) {
    if (!Buffer.from(text.buffer, text.byteOffset, text.length).includes(wanted)) continue;
    for (const envelope of JSON.parse(`[${decoder.decode(text)}]`) as unknown[]) {
      if (isJsonObject(envelope) && envelope.id === id) return Number(envelope.sequence);
    }
  }
  throw new InvalidRequestError("id", "is of no envelope in this trace.");
}

function withoutSession(envelope: unknown): unknown {
  if (!isJsonObject(envelope)) return envelope;
  const { tenantId: _, sessionId: __, ...rest } = envelope;
  return rest;
}
