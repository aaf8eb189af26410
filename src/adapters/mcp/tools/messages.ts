import { z } from "zod";
import type { InspectorUseCases } from "../../../application/questions/endpoints.js";
import { PARAMETERS } from "../../../application/questions/parameters.js";
import { listAnswer, partOfOnly, recordsOf, warningsOf } from "../answers.js";
import { changed, FROM, JSON_FROM, PAGE, SESSION, type Tool, tool, windowOf } from "../tool.js";

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
    async execute({ limit, cursor, from, jsonFrom, ...session }, signal) {
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
