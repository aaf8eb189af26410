import { changed, recordsOf } from "../../../application/questions/json-list.js";
import { PARAMETERS } from "../../../application/questions/parameters.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import {
  type MessageOrigin,
  type ReadMessage,
  readMessage,
} from "../../../domain/conversation/conversation.js";
import type { MessagePart } from "../../../domain/conversation/message-part.js";
import { cutDeep, isJsonObject, type JsonObject } from "../../../domain/json/json.js";
import { fields, MOST_CHARACTERS, records, type ToolAnswer, tableOf } from "../answer/answer.js";
import { partOfOnly } from "../answer/json-part.js";
import { type Cell, listed, type Own, own, ownWords } from "../answer/own-words.js";
import { shortenable } from "../answer/shorten.js";
import { messageAlone } from "./record-parts.js";
import { FROM, JSON_FROM, onlyOne, PAGE, SESSION, TEXTS, type Tool, tool } from "./tool.js";
import { optional } from "./tool-input.js";

export const ORIGINS: readonly MessageOrigin[] = ["user", "assistant", "tool", "system", "summary"];
const PARTS: readonly MessagePart["type"][] = ["text", "thinking", "call", "result", "image", "other"];

const HOW_TO_READ = own`To read a full message, start from its number with jsonFrom 0.`;

export function messagesTool({ getSessionMessages }: InspectorUseCases): Tool {
  return tool({
    name: "messages",
    title: "Read messages",
    description:
      "The conversation with the model since its last compaction; with agent, the conversation of that agent. texts adds each message as JSON.",
    input: {
      session: SESSION,
      agent: optional(PARAMETERS.agentId, ""),
      from: optional(FROM, "first message"),
      ...PAGE,
      texts: TEXTS,
      jsonFrom: JSON_FROM,
    },
    async execute(
      { session, agent, from, limit, cursor, texts = false, jsonFrom },
      call,
    ): Promise<ToolAnswer> {
      const { handles, signal } = call;
      onlyOne({ from, cursor });
      const named = await handles.sessionNamed(session, "session", signal);
      const agentId = handles.agentNamed(named, agent);
      const window = { from, cursor: handles.cursorNamed(cursor), limit: jsonFrom === undefined ? limit : 1 };
      const list = changed(await getSessionMessages.execute({ ...named.key, agentId, window }, { signal }));
      const { of, changes } = handles.visit(named, list.revision);
      if (jsonFrom !== undefined) {
        return { of, texts: true, parts: [...changes, ...(await partOfOnly(list, jsonFrom))] };
      }
      const first = list.from ?? 0;
      const messages = (await recordsOf(list)).map((one, i) =>
        listedMessage(isJsonObject(one) ? one : { content: one }, first + i),
      );
      return {
        of,
        texts,
        parts: [
          ...changes,
          fields(own`messages of ${of}`, {
            agent: handles.agent(named, agentId),
            shown: messages.length,
            unreadableRecords: list.warnings.length || undefined,
            next: handles.cursor(list.nextCursor),
          }),
          texts
            ? records(messages, COLUMNS, ({ stored }) => shortenable(stored, MOST_CHARACTERS), HOW_TO_READ)
            : tableOf(undefined, messages, { ...COLUMNS, characters: ({ size }) => size }),
        ],
      };
    },
  });
}

interface ListedMessage extends Pick<ReadMessage, "index" | "origin" | "size"> {
  readonly stored: unknown;
  readonly types: readonly Own[];
}

function listedMessage(message: JsonObject, at: number): ListedMessage {
  const { index, origin, parts, size } = readMessage(cutDeep(message) as JsonObject, at);
  const types = [...new Set(parts.map(({ type }) => type))].flatMap((type) => listed(PARTS, type) ?? []);
  return { index, origin, size, types, stored: messageAlone(message) };
}

const COLUMNS = {
  message: ({ index }) => index,
  origin: ({ origin }) => listed(ORIGINS, origin),
  parts: ({ types }) => (types.length === 0 ? undefined : ownWords(types, own`+`)),
} satisfies { readonly [column: string]: (message: ListedMessage) => Cell };
