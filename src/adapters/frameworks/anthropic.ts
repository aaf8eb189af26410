import type { RecordedSession } from "../../application/recording/recorded-session.js";
import type { Message } from "../../domain/conversation/message.js";
import { textField } from "../../domain/json/json.js";
import { answerIn } from "./anthropic-messages.js";
import { AnthropicStream } from "./anthropic-stream.js";
import { jsonOf, objectsIn } from "./framework-values.js";
import type { CallReader } from "./sdk-call.js";
import { type RecordClientOptions, recordClient } from "./sdk-client.js";

export interface AnthropicClient {
  readonly messages: object;
}

/**
 * Records a client's `messages.create`, with and without `stream`, `messages.stream`, `messages.parse` and the same methods of `beta`,
 * also if helpers call them. No call of the client waits for the recording or fails because of it.
 * @param session its turn ends with `session.recordTurn()`, which counts the usage of the calls
 * @returns a copy of the client, with the same settings and type; the client itself does not change
 * @throws TypeError if the value is not a client or not a session, or if an option does not exist
 * @example
 * const client = recordAnthropic(new Anthropic(), session);
 * const answer = await client.messages.create({ model: "claude-sonnet-5", max_tokens: 1_000, messages });
 * await session.recordTurn();
 */
export function recordAnthropic<Client extends AnthropicClient>(
  client: Client,
  session: RecordedSession,
  options: RecordClientOptions = {},
): Client {
  return recordClient(client, session, options, [
    ["messages", "create", MESSAGES],
    ["beta.messages", "create", MESSAGES],
  ]);
}

const MESSAGES: CallReader = {
  requestOf: (body) => ({
    model: textField(body, "model"),
    provider: "anthropic",
    messages: [...systemIn(body.system), ...(objectsIn(jsonOf(body.messages)) as readonly Message[])],
  }),
  answered: (data) => answerIn(data),
  stream: () => new AnthropicStream(),
};

function systemIn(system: unknown): Message[] {
  return system === undefined ? [] : [{ role: "system", content: jsonOf(system) }];
}
