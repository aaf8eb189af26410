import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { isJsonObject } from "../../domain/json/json.js";
import { visibleLines } from "../../domain/text/visible-text.js";

type Message = Parameters<StdioServerTransport["send"]>[0];

/** Escapes hidden characters in errors, because the SDK quotes input of a client. Answers of tools are already escaped. */
export class VisibleTransport extends StdioServerTransport {
  override send(message: Message): Promise<void> {
    return super.send(withVisibleErrors(message));
  }
}

function withVisibleErrors(message: Message): Message {
  if ("error" in message) return { ...message, error: visible(message.error) };
  if (!("result" in message) || message.result.isError !== true) return message;
  return { ...message, result: visible(message.result) };
}

function visible<Value>(value: Value): Value {
  if (typeof value === "string") return visibleLines(value) as Value;
  if (Array.isArray(value)) return value.map(visible) as Value;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [visibleLines(name), visible(member)]),
  ) as Value;
}
