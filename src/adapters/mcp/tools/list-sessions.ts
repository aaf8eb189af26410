import { z } from "zod";
import { onceMore } from "../../../application/questions/once-more.js";
import { listAnswer, recordsOf, warningsOf } from "../answers.js";
import { OWNER, ownerOf, PAGE, type Tool, tool } from "../tool.js";
import { changed, type McpUseCases } from "../use-cases.js";

export function listSessionsTool({ listSessions }: McpUseCases): Tool {
  return tool({
    name: "list_sessions",
    title: "List sessions",
    description:
      "The recorded sessions of AI agents, newest activity first: ids, title, when, turns, tokens, errors, model, what was asked and said. " +
      "A session is named by its tenantId and its sessionId. Filters narrow the list together. " +
      "total is how many sessions there are before other filters than tenantId; unread of them were not looked at yet.",
    input: z.strictObject({
      ...OWNER,
      text: z.string().min(1).optional().describe("Part of a session's id, user or title, in any case."),
      status: z.enum(["idle", "running", "error"]).optional(),
      userId: z.string().optional().describe('Only the sessions of this user; "" for those without one.'),
      source: z
        .string()
        .optional()
        .describe("Only the sessions of this one of several sources, as source names it."),
      ...PAGE,
    }),
    async execute({ limit, cursor, ...filters }, signal) {
      const query = { ...filters, ...ownerOf(filters), window: { limit, cursor } };
      return onceMore(async () => {
        const list = changed(await listSessions.execute(query, { signal }));
        const { nextCursor, counts, warnings } = list;
        return listAnswer({
          member: "sessions",
          records: await recordsOf(list),
          nextCursor,
          rest: { ...counts, ...warningsOf(warnings) },
          whole: "Ask for fewer sessions with limit.",
        });
      });
    },
  });
}
