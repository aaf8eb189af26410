import { InvalidRequestError } from "../../../application/errors.js";
import { changed, recordsOf } from "../../../application/questions/json-list.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { EventKind } from "../../../domain/dialects/event-kinds.js";
import { isJsonObject, type JsonObject } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { type EventFacts, readEventFacts } from "../../../domain/spans/event-facts.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { fields, MOST_CHARACTERS, records, type ToolAnswer, tableOf } from "../answer/answer.js";
import { partOfOnly } from "../answer/json-part.js";
import { type Cell, name, own } from "../answer/own-words.js";
import type { NameKind } from "../answer/registered-names.js";
import { shortenable } from "../answer/shorten.js";
import type { RequestedSession } from "./handles.js";
import { Places } from "./places.js";
import { eventAlone } from "./record-parts.js";
import { AT, JSON_FROM, type McpCall, onlyOne, PAGE, SESSION, TEXTS, type Tool, tool } from "./tool.js";
import { optional } from "./tool-input.js";

const HOW_TO_READ = own`To read a full step, use its at with jsonFrom 0.`;

export function traceSliceTool(useCases: InspectorUseCases): Tool {
  const { getSessionTrace } = useCases;
  return tool({
    name: "trace_slice",
    title: "Read a part of a trace",
    description:
      "The steps of a session: turns, model calls (llm), tool calls, texts, errors, then sub-agents. texts adds each step as JSON.",
    input: {
      session: SESSION,
      at: optional(AT, "first step"),
      ...PAGE,
      texts: TEXTS,
      jsonFrom: JSON_FROM,
    },
    async execute({ session, at, limit, cursor, texts = false, jsonFrom }, call): Promise<ToolAnswer> {
      const { handles, signal } = call;
      onlyOne({ at, cursor });
      if (jsonFrom !== undefined && at === undefined)
        throw new InvalidRequestError("jsonFrom", "needs at: the step to read.");
      const named = await handles.sessionNamed(session, "session", signal);
      const from =
        at === undefined ? undefined : await new Places(useCases, named, call).sequenceAt(String(at));
      const window = {
        limit: jsonFrom === undefined ? limit : 1,
        ...(from === undefined ? { cursor: handles.cursorNamed(cursor) } : { from }),
      };
      const list = changed(await getSessionTrace.execute({ ...named.key, window }, { signal }));
      const { of, changes } = handles.visit(named, list.revision);
      if (jsonFrom !== undefined) {
        return { of, texts: true, parts: [...changes, ...(await partOfOnly(list, jsonFrom))] };
      }
      const all = (await recordsOf(list)).map((one) => {
        const envelope: JsonObject = isJsonObject(one) ? one : { event: one };
        return { envelope, facts: readEventFacts(envelope, 0, 0) };
      });
      // Omits the runtime's notes about its own work, unless `at` selects one.
      const steps = all.filter(
        ({ facts }, i) => (i === 0 && at !== undefined) || facts.bookkeeping === undefined,
      );
      const columns = columnsOf(named, call);
      return {
        of,
        texts,
        parts: [
          ...changes,
          fields(own`steps of ${of}`, {
            shown: steps.length,
            bookkeeping: all.length - steps.length || undefined,
            unreadableRecords: list.warnings.length || undefined,
            next: handles.cursor(list.nextCursor),
          }),
          texts
            ? records(
                steps,
                columns,
                ({ envelope }) => shortenable(eventAlone(envelope), MOST_CHARACTERS),
                HOW_TO_READ,
              )
            : tableOf(undefined, steps, {
                ...columns,
                characters: ({ envelope }) => jsonTextOf(envelope.event)?.length,
              }),
        ],
      };
    },
  });
}

const NAMES: { readonly [Kind in EventKind]?: NameKind } = {
  tool: "tool",
  llm: "model",
  agent: "agent",
  job: "agent",
  text: "role",
};

interface ListedStep {
  readonly envelope: JsonObject;
  readonly facts: EventFacts;
}

function columnsOf(named: RequestedSession, { handles }: McpCall) {
  return {
    at: ({ facts }) => facts.sequence,
    time: ({ envelope: { timestamp } }) =>
      typeof timestamp === "string" ? plausibleTime(timestamp) : undefined,
    type: ({ facts }) => name("event", facts.type),
    agent: ({ facts }) => handles.agent(named, facts.agentId),
    name: ({ facts }) => name(NAMES[facts.kind] ?? "label", facts.name),
    failed: ({ facts }) => facts.error !== undefined || undefined,
  } satisfies { readonly [column: string]: (step: ListedStep) => Cell };
}
