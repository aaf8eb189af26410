import type { RecordedSession } from "../../application/recording/recorded-session.js";
import { type JsonObject, textField } from "../../domain/json/json.js";
import { chatAnswer, modelCallOf, responseAnswer } from "./openai-messages.js";
import { ChatStream, ResponseStream } from "./openai-streams.js";
import type { CallReader } from "./sdk-call.js";
import { type RecordClientOptions, recordClient } from "./sdk-client.js";

export interface OpenAIClient {
  readonly chat: object;
}

/**
 * Records a client's `chat.completions.create` and `responses.create`, with and without `stream`, also if helpers call them (`stream`,
 * `parse`, `runTools`). No call of the client waits for the recording or fails because of it.
 * @param session its turn ends with `session.recordTurn()`, which counts the usage of the calls
 * @returns a copy of the client, with the same settings and type; the client itself does not change
 * @throws TypeError if the value is not a client or not a session, or if an option does not exist
 * @example
 * const client = recordOpenAI(new OpenAI(), session);
 * const response = await client.responses.create({ model: "gpt-5.5", input });
 * await session.recordTurn();
 */
export function recordOpenAI<Client extends OpenAIClient>(
  client: Client,
  session: RecordedSession,
  options: RecordClientOptions = {},
): Client {
  return recordClient(client, session, options, [
    ["chat.completions", "create", CHAT],
    ["responses", "create", RESPONSES],
  ]);
}

/** The same client also calls other vendors. Only the model's name identifies the vendor. */
const CHAT: CallReader = {
  requestOf: (body) => ({ ...requestIn({ type: "generation", input: body.messages }), ...modelIn(body) }),
  answered: (data) => chatAnswer(data),
  stream: (body) => new ChatStream(body),
};

const RESPONSES: CallReader = {
  requestOf: (body) => ({
    ...requestIn({ type: "response", _input: body.input, _response: { instructions: body.instructions } }),
    ...modelIn(body),
  }),
  answered: (data) => responseAnswer(data),
  stream: () => new ResponseStream(),
};

function modelIn(body: JsonObject) {
  return { model: textField(body, "model"), provider: undefined };
}

function requestIn(data: JsonObject) {
  return { messages: modelCallOf(data).messages };
}
