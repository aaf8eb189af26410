import { z } from "zod";
import { InvalidRequestError } from "../../application/errors.js";
import type { InspectorUseCases } from "../../application/questions/endpoints.js";
import { changed, type JsonList, recordsIn } from "../../application/questions/json-list.js";
import { PARAMETERS } from "../../application/questions/parameters.js";
import type { Window } from "../../application/questions/window.js";
import { isJsonObject } from "../../domain/json/json.js";
import { listAnswer, MOST_CHARACTERS, objectAnswer, partOfOnly, recordsOf, warningsOf } from "./answers.js";
import { shortenable } from "./shorten.js";
import { FROM, JSON_FROM, PAGE, SESSION, type Tool, tool, windowOf } from "./tool.js";

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
    async execute({ limit, cursor, from, id, jsonFrom, ...session }, { signal }) {
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

/**
 * The sequence of the envelope that has an id. A trace has no index by ids: it is read up to there, and only batches that hold the id are
 * parsed.
 *
 * @throws InvalidRequestError where the trace has no such envelope
 */
async function sequenceOfId({ texts, ...list }: JsonList, id: string): Promise<number> {
  const wanted = Buffer.from(JSON.stringify(id));
  for await (const envelope of recordsIn({ ...list, texts: holding(texts, wanted) })) {
    if (isJsonObject(envelope) && envelope.id === id) return Number(envelope.sequence);
  }
  throw new InvalidRequestError("id", "is of no envelope in this trace.");
}

async function* holding(texts: AsyncIterable<Uint8Array>, wanted: Buffer): AsyncGenerator<Uint8Array, void> {
  for await (const text of texts) {
    if (Buffer.from(text.buffer, text.byteOffset, text.length).includes(wanted)) yield text;
  }
}

function withoutSession(envelope: unknown): unknown {
  if (!isJsonObject(envelope)) return envelope;
  const { tenantId: _, sessionId: __, ...rest } = envelope;
  return rest;
}

export function messagesTool({ getSessionMessages }: InspectorUseCases): Tool {
  return tool({
    name: "messages",
    title: "Read messages",
    description:
      "The conversation of a session with its model, each message as it is stored, in stored order; firstIndex is the index of the first one. " +
      "After a compaction these are the messages that the model gets now, not those that were replaced.",
    input: z.strictObject({
      ...SESSION,
      agentId: PARAMETERS.agentId
        .optional()
        .describe(
          "A sub-agent, for its own conversation. Default is the main agent. One of which none is kept has no messages.",
        ),
      from: FROM.describe("Begins at the message of this index, from 0; in the place of cursor."),
      ...PAGE,
      jsonFrom: JSON_FROM,
    }),
    async execute({ limit, cursor, from, jsonFrom, ...session }, { signal }) {
      const window = windowOf({ limit, cursor, from }, jsonFrom);
      const list = changed(await getSessionMessages.execute({ ...session, window }, { signal }));
      if (jsonFrom !== undefined) return partOfOnly(list, jsonFrom);
      return listAnswer({
        member: "messages",
        records: await recordsOf(list),
        head: { firstIndex: list.from },
        nextCursor: list.nextCursor,
        rest: warningsOf(list.warnings),
        whole: "To read a message whole: from its index, with jsonFrom 0.",
      });
    },
  });
}

export function contextAtCallTool({ getCallContext, getMessageProvenance }: InspectorUseCases): Tool {
  return tool({
    name: "context_at_call",
    title: "What a model call saw",
    description:
      "The messages that a model call was given, oldest first, each with its beginning and about how many tokens it is; for a step that " +
      "is no model call, those of the call that asked for it. countedTokens is what the vendor counted for the call. source says from what it is known: " +
      "call (recorded on the call), conversation (what the conversation held then), or null (not known, so there are no messages). With message, where that " +
      "one came from instead: what put it there, the first call that saw it, what rewrote or dropped it, and what asked for the same again.",
    input: z.strictObject({
      ...SESSION,
      call: PARAMETERS.call.describe(
        "The id of an envelope: a stepId of session_summary, or an id of trace_slice such as that of an llm.start.",
      ),
      message: PARAMETERS.message
        .optional()
        .describe("The index of one of these messages. It takes the place of limit and cursor."),
      item: PARAMETERS.item.optional().describe("The item of that message, where it has one."),
      ...PAGE,
    }),
    async execute({ limit, cursor, message: index, item, ...request }, { signal }) {
      if (index !== undefined) {
        const message = { index, item };
        const provenance = await getMessageProvenance.execute({ ...request, message }, { signal });
        return objectAnswer(provenance, "trace_slice at the id of a call shows what is around it.");
      }
      if (item !== undefined) throw new InvalidRequestError("item", "needs the message that it is of.");
      const window = { limit, cursor };
      const context = await getCallContext.execute({ ...request, window }, { signal });
      return listAnswer({
        member: "messages",
        records: context.messages.map((message) => shortenable(message, MOST_CHARACTERS)),
        head: { call: context.call },
        nextCursor: context.nextCursor,
        whole:
          "To read a message whole: where source is conversation, messages from its index with the agentId of the call and jsonFrom 0; " +
          "where it is call, trace_slice at the id of the call with jsonFrom 0.",
      });
    },
  });
}
