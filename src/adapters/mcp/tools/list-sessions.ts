import { z } from "zod";
import type { InspectorUseCases } from "../../../application/questions/endpoints.js";
import { PARAMETERS } from "../../../application/questions/parameters.js";
import { ownerOf } from "../../../application/questions/requests.js";
import { listAnswer, recordsOf, warningsOf } from "../answers.js";
import { changed, OWNER, PAGE, type Tool, tool } from "../tool.js";

export function listSessionsTool({ listSessions }: InspectorUseCases): Tool {
  return tool({
    name: "list_sessions",
    title: "List sessions",
    description:
      "The recorded sessions of AI agents, newest activity first: ids, title, when, turns, tokens, errors, model, what was asked and said. " +
      "A session is named by its tenantId and its sessionId. Filters narrow the list together. " +
      "total is how many sessions there are before other filters than tenantId; unread of them were not looked at yet.",
    input: z.strictObject({
      ...OWNER,
      text: PARAMETERS.q.min(1).optional().describe("Part of a session's id, user or title, in any case."),
      status: PARAMETERS.status.optional(),
      userId: PARAMETERS.userId
        .optional()
        .describe('Only the sessions of this user; "" for those without one.'),
      source: PARAMETERS.source
        .optional()
        .describe("Only the sessions of this one of several sources, as source names it."),
      ...PAGE,
    }),
    async execute({ limit, cursor, ...filters }, signal) {
      const query = { ...filters, ...ownerOf(filters), window: { limit, cursor } };
      const list = changed(await listSessions.execute(query, { signal }));
      const { nextCursor, counts, warnings } = list;
      return listAnswer({
        member: "sessions",
        records: await recordsOf(list),
        nextCursor,
        rest: { ...counts, ...warningsOf(warnings) },
        whole: "Ask for fewer sessions with limit.",
      });
    },
  });
}
