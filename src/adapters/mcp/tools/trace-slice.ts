import { z } from "zod";
import { InvalidRequestError } from "../../../application/errors.js";
import type { SessionKey } from "../../../application/ports/session-store.js";
import { onceMore } from "../../../application/questions/once-more.js";
import type { Window } from "../../../application/questions/window.js";
import { isJsonObject } from "../../../domain/json/json.js";
import { jsonOf, listAnswer, partAnswer, recordsOf, warningsOf } from "../answers.js";
import { sequenceOfId } from "../sequence-of-id.js";
import { JSON_FROM, PAGE, SESSION, type Tool, tool } from "../tool.js";
import { changed, type McpUseCases } from "../use-cases.js";
import { wholeRecord, withoutBoth } from "../window.js";

export function traceSliceTool({ getSessionTrace }: McpUseCases): Tool {
  return tool({
    name: "trace_slice",
    title: "Read a part of a trace",
    description:
      "What happened in a session, in order: turns, model calls (llm.*), tool calls (tool.*), texts, compactions, errors, then the lives of " +
      "sub-agents. Events with an agentId are of that sub-agent, those without of the main agent. sequence orders the whole trace. " +
      "tenantId and sessionId are left out of each envelope.",
    input: z.strictObject({
      ...SESSION,
      from: z
        .int()
        .min(0)
        .optional()
        .describe("Begins at the first envelope with at least this sequence; in the place of cursor."),
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
    async execute({ limit, cursor, from, id, jsonFrom, sessionId, tenantId }, signal) {
      const session: SessionKey = { tenantId, sessionId };
      const find = async (window: Window) =>
        changed(await getSessionTrace.execute({ ...session, window }, { signal }));
      if (id !== undefined && (cursor ?? from) !== undefined) {
        throw new InvalidRequestError("id", "cannot be given together with from or cursor.");
      }
      return onceMore(async () => {
        const begin = id === undefined ? from : await sequenceOfId(await find({}), id);
        const window = withoutBoth({ limit: jsonFrom === undefined ? limit : 1, cursor, from: begin });
        const list = await find(window);
        if (jsonFrom !== undefined) return partAnswer(wholeRecord(await jsonOf(list)), jsonFrom);
        return listAnswer({
          member: "envelopes",
          records: await recordsOf(list, withoutSession),
          nextCursor: list.nextCursor,
          rest: warningsOf(list.warnings),
          whole: "To read an envelope whole: from its sequence, with jsonFrom 0.",
        });
      });
    },
  });
}

function withoutSession(envelope: unknown): unknown {
  if (!isJsonObject(envelope)) return envelope;
  const { tenantId: _, sessionId: __, ...rest } = envelope;
  return rest;
}
