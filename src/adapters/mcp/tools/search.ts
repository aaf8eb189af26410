import { z } from "zod";
import type { InspectorUseCases } from "../../../application/questions/endpoints.js";
import { PARAMETERS, SEARCH_TEXT } from "../../../application/questions/parameters.js";
import { ownerOf } from "../../../application/questions/requests.js";
import type { SearchAnswer } from "../../../application/search/search-answer.js";
import type { SearchHit } from "../../../domain/search/search-hit.js";
import { DEFAULT_KINDS, parseSearchQuery } from "../../../domain/search/search-query.js";
import { listAnswer, MOST_CHARACTERS } from "../answers.js";
import { shortenable } from "../shorten.js";
import { OWNER, PAGE, type Tool, tool } from "../tool.js";

/** A search goes on for about so long where it has not found enough. */
const BUDGET_MS = 8_000;

export function searchTool({ searchRecords }: InspectorUseCases): Tool {
  return tool({
    name: "search",
    title: "Search histories",
    description:
      "Finds a text in what agents and people said, thought and did, sub-agents included, newest session first. " +
      'Text is found in any case unless it has a capital; "in double quotes" exactly; re:… is a regular expression (RE2). ' +
      "All errors of a session: query re:. with in [error]. A hit names its record: sequence for trace_slice (from), messageIndex for messages (from). " +
      "Only where nextCursor is null everything was searched.",
    input: z.strictObject({
      query: SEARCH_TEXT.describe("What to look for."),
      in: PARAMETERS.in
        .default([...DEFAULT_KINDS])
        .describe(
          "Which texts: input and output are of tools; other are names, paths and what a tool recorded besides.",
        ),
      ...OWNER,
      ...PAGE,
    }),
    async execute({ query: typed, in: kinds, limit, cursor, ...owner }, signal) {
      const request = { query: parseSearchQuery(typed)!, kinds, ...ownerOf(owner) };
      const deadline = performance.now() + BUDGET_MS;
      const hits: SearchHit[] = [];
      const notes = new Set<string>();
      let answer: SearchAnswer;
      let next = cursor;
      do {
        answer = await searchRecords.execute(
          { ...request, limit: limit - hits.length, cursor: next },
          { signal },
        );
        hits.push(...answer.hits);
        for (const note of answer.notes ?? []) notes.add(note);
        next = answer.nextCursor ?? undefined;
      } while (next !== undefined && hits.length < limit && performance.now() < deadline);
      const { nextCursor, searched, total } = answer;
      return listAnswer({
        member: "hits",
        records: hits.map((hit) => shortenable(hit, MOST_CHARACTERS)),
        nextCursor,
        rest: { searched, total, ...(notes.size > 0 && { notes: [...notes] }) },
        whole: "Ask for fewer hits with limit.",
      });
    },
  });
}
