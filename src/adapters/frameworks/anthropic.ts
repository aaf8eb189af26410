import type { RecordedSession } from "../../application/recording/recorded-session.js";
import type { Message } from "../../domain/conversation/message.js";
import { textField } from "../../domain/json/json.js";
import { answerIn } from "./anthropic-messages.js";
import { AnthropicStream } from "./anthropic-stream.js";
import { jsonOf, objectsIn } from "./framework-values.js";
import type { CallReader } from "./sdk-call.js";
import { type RecordClientOptions, recordClient } from "./sdk-client.js";

/** What is asked of a client of `@anthropic-ai/sdk`. */
export interface AnthropicClient {
  readonly messages: object;
}

/**
 * Records what a client of `@anthropic-ai/sdk` is used for, in a session: model calls with their tokens and errors, what was said, the calls of tools
 * and what they gave. `messages.create`, with and without `stream`, `messages.stream`, `messages.parse` and the same of `beta` are recorded, also where
 * helpers call them. No call of the client waits for the recording, or fails by it.
 *
 * @param session its turn ends with `session.recordTurn()`, which counts what the calls used
 * @returns a copy of the client, with the same settings and type; the client itself stays as it is
 * @throws TypeError for what is no client or no session, and for an option that there is not
 *
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
  asked: (body) => ({
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
