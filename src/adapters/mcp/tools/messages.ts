import { z } from "zod";
import { onceMore } from "../../../application/questions/once-more.js";
import { jsonOf, listAnswer, partAnswer, recordsOf, warningsOf } from "../answers.js";
import { JSON_FROM, PAGE, SESSION, type Tool, tool } from "../tool.js";
import { changed, type McpUseCases } from "../use-cases.js";
import { wholeRecord, withoutBoth } from "../window.js";

export function messagesTool({ getSessionMessages }: McpUseCases): Tool {
  return tool({
    name: "messages",
    title: "Read messages",
    description:
      "The conversation of a session with its model, each message as it is stored, in stored order; firstIndex is the index of the first one. " +
      "After a compaction these are the messages that the model gets now, not those that were replaced.",
    input: z.strictObject({
      ...SESSION,
      agentId: z
        .string()
        .min(1)
        .optional()
        .describe(
          "A sub-agent, for its own conversation. Default is the main agent. One of which none is kept has no messages.",
        ),
      from: z
        .int()
        .min(0)
        .optional()
        .describe("Begins at the message of this index, from 0; in the place of cursor."),
      ...PAGE,
      jsonFrom: JSON_FROM,
    }),
    async execute({ limit, cursor, from, jsonFrom, ...session }, signal) {
      const window = withoutBoth({ limit: jsonFrom === undefined ? limit : 1, cursor, from });
      return onceMore(async () => {
        const list = changed(await getSessionMessages.execute({ ...session, window }, { signal }));
        if (jsonFrom !== undefined) return partAnswer(wholeRecord(await jsonOf(list)), jsonFrom);
        return listAnswer({
          member: "messages",
          records: await recordsOf(list),
          head: { firstIndex: list.from },
          nextCursor: list.nextCursor,
          rest: warningsOf(list.warnings),
          whole: "To read a message whole: from its index, with jsonFrom 0.",
        });
      });
    },
  });
}
