import { InvalidRequestError } from "../../../application/errors.js";
import { PARAMETERS } from "../../../application/questions/parameters.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { MessageProvenance } from "../../../domain/conversation/context-history.js";
import type { ToolUse } from "../../../domain/conversation/provenance.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import {
  type AnswerText,
  fields,
  MOST_CHARACTERS,
  records,
  type ToolAnswer,
  tableOf,
} from "../answer/answer.js";
import { type Cell, listed, name, own } from "../answer/own-words.js";
import { shortenable } from "../answer/shorten.js";
import type { HandleState, RequestedSession } from "./handles.js";
import { ORIGINS } from "./messages-tool.js";
import { atRevision, Places } from "./places.js";
import { AT, type McpCall, onlyOne, PAGE, SESSION, TEXTS, type Tool, tool } from "./tool.js";
import { optional, required } from "./tool-input.js";

const HOW_TO_READ = own`To read a full message, call messages from its number with jsonFrom 0. If source is call, call trace_slice at the call with jsonFrom 0.`;

export function contextAtCallTool(useCases: InspectorUseCases): Tool {
  const { getCallContext, getMessageProvenance } = useCases;
  return tool({
    name: "context_at_call",
    title: "Context of a model call",
    description:
      "The input messages of a step's model call. With message: the origin of that message, and its later changes.",
    input: {
      session: SESSION,
      at: required(AT, "step: a number or e-…"),
      message: optional(PARAMETERS.message, ""),
      item: optional(PARAMETERS.item, "of a compaction's messages"),
      ...PAGE,
      texts: TEXTS,
    },
    async execute(
      { session, at, message: index, item, limit, cursor, texts = false },
      call,
    ): Promise<ToolAnswer> {
      const { handles, signal } = call;
      onlyOne({ message: index, cursor });
      if (item !== undefined && index === undefined) {
        throw new InvalidRequestError("item", "needs message: the message that holds the item.");
      }
      const named = await handles.sessionNamed(session, "session", signal);
      const window = { limit, cursor: handles.cursorNamed(cursor) };
      const { value, revisions } = await atRevision(useCases, [named.key], call, async () => {
        const step = { ...named.key, call: await new Places(useCases, named, call).idAt(String(at)) };
        if (index === undefined)
          return { context: await getCallContext.execute({ ...step, window }, { signal }) };
        const message = { index, item };
        return { provenance: await getMessageProvenance.execute({ ...step, message }, { signal }) };
      });
      const handleState = handles.visit(named, revisions[0]);
      const parts =
        value.provenance === undefined
          ? contextParts(value.context, named, handleState, texts, call)
          : provenanceParts(value.provenance, named, texts, call);
      return { of: handleState.of, texts, parts: [...handleState.changes, ...parts] };
    },
  });
}

type Context = Awaited<ReturnType<InspectorUseCases["getCallContext"]["execute"]>>;

function contextParts(
  { call, messages, nextCursor }: Context,
  named: RequestedSession,
  { of }: HandleState,
  texts: boolean,
  { handles }: McpCall,
): readonly AnswerText[] {
  return [
    fields(own`model call of ${of}`, {
      step: handles.step(named, call.id),
      time: plausibleTime(call.timestamp),
      agent: handles.agent(named, call.agentId),
      source: listed(["call", "conversation"], call.source ?? undefined) ?? own`unknown`,
      countedTokens: call.countedTokens,
      messages: call.size,
      estimatedTokens: call.estimatedTokens,
      next: handles.cursor(nextCursor),
    }),
    texts
      ? records(messages, COLUMNS, ({ text }) => shortenable(text, MOST_CHARACTERS), HOW_TO_READ)
      : tableOf(undefined, messages, COLUMNS),
  ];
}

const COLUMNS = {
  message: ({ index }) => index,
  item: ({ item }) => item,
  origin: ({ origin }) => listed(ORIGINS, origin),
  tokens: ({ tokens }) => tokens,
  characters: ({ length }) => length,
} satisfies { readonly [column: string]: (message: Context["messages"][number]) => Cell };

export const SOURCES = ["tool", "person", "parent", "model", "system", "compaction"] as const;

function provenanceParts(
  { message, source, firstSeen, rewrittenAt, dropped, repetitions, moreRepetitions }: MessageProvenance,
  named: RequestedSession,
  texts: boolean,
  { handles }: McpCall,
): readonly AnswerText[] {
  const step = (id: string | undefined) => (id === undefined ? undefined : handles.step(named, id));
  const tool = (use: ToolUse) => name("tool", use.name);
  const file = (use: ToolUse) => name("file", use.paths[0]);
  const text = texts ? (use: ToolUse) => use.text : undefined;
  return [
    fields(own`message`, {
      message: message.index,
      item: message.item,
      origin: listed(ORIGINS, message.origin),
      from: listed(SOURCES, source.by),
      firstCall: step(firstSeen.id),
      firstCallTime: plausibleTime(firstSeen.timestamp),
      rewritten: rewrittenAt.length,
      droppedBefore: step(dropped?.id),
      droppedByCompaction: dropped?.byCompaction,
    }),
    tableOf(own`tool calls that returned it`, source.by === "tool" ? source.uses : [], { tool, file, text }),
    tableOf(own`requested again later`, repetitions, {
      tool,
      file,
      same: ({ same }) => listed(["input", "file"], same),
      text,
    }),
    ...(moreRepetitions > 0 ? [fields(own`more repetitions`, { times: moreRepetitions })] : []),
  ];
}
