import { messageText } from "../../../../src/domain/conversation/compare-contexts.js";
import { type ReadMessage, readMessage } from "../../../../src/domain/conversation/conversation.js";
import { recordedHead } from "../../../../src/domain/conversation/recorded-context.js";
import { isJsonObject, objectField, textField } from "../../../../src/domain/json/json.js";
import { valueText } from "../../../../src/domain/text/value-text.js";
import { cutText } from "../messages/cut-text.js";
import type { ContextHead } from "../messages/message-protocol.js";
import { eventIn } from "../records/record-json.js";

/** A call may have hundreds of tools. */
const MOST_TOOLS = 200;
const CUT_AT = 60_000;

/**
 * Returns the system prompt, from a message or the call's record, and the tools.
 * @param prompt tokens of the call that belong to no message, also of later calls
 * @param records the call's envelopes, as JSON text
 */
export function contextHead(
  context: readonly ReadMessage[],
  prompt: number,
  records: readonly string[],
): ContextHead {
  const end = context.findIndex(({ origin }) => origin !== "system");
  const messages = end === -1 ? context : context.slice(0, end);
  const { system, tools } = recordedHead(records.map(eventIn));
  const systemText = system === undefined ? "" : messageText(readMessage(system, 0));
  const text = messages.map(messageText).join("\n\n") || systemText;
  return {
    tokens: prompt,
    system: text === "" ? undefined : cutText(text, CUT_AT),
    tools: tools === undefined ? undefined : cutText(valueText(tools), CUT_AT),
    toolNames: toolNames(tools),
  };
}

function toolNames(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return [];
  const names = tools
    .filter(isJsonObject)
    .map((tool) => textField(tool, "name") ?? textField(objectField(tool, "function"), "name"));
  return names.filter((name) => name !== undefined).slice(0, MOST_TOOLS);
}
