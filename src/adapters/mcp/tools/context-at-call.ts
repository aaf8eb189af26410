import { z } from "zod";
import { InvalidRequestError } from "../../../application/errors.js";
import type { InspectorUseCases } from "../../../application/questions/endpoints.js";
import { PARAMETERS } from "../../../application/questions/parameters.js";
import { listAnswer, MOST_CHARACTERS, objectAnswer } from "../answers.js";
import { shortenable } from "../shorten.js";
import { PAGE, SESSION, type Tool, tool } from "../tool.js";

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
    async execute({ limit, cursor, message: index, item, ...request }, signal) {
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
