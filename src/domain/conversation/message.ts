/**
 * One message of the conversation with the model, in whatever format its vendor uses: the inspector reads none of its
 * fields and changes none. Most have a `role` and a `content`.
 */
export type Message = { readonly [field: string]: unknown };

/**
 * A message as an application has it: any object that JSON can hold, such as `Anthropic.MessageParam`, OpenAI's
 * `ChatCompletionMessageParam` and `ResponseInputItem`, or the AI SDK's `ModelMessage` and `UIMessage`.
 */
export type RecordableMessage = object;
