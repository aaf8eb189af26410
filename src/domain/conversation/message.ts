/** A message in its vendor's format, unchanged: most have a `role` and a `content`. */
export type Message = { readonly [field: string]: unknown };

/**
 * Any object that JSON can hold, such as `Anthropic.MessageParam`, OpenAI's `ChatCompletionMessageParam` and `ResponseInputItem`, or the
 * AI SDK's `ModelMessage` and `UIMessage`.
 */
export type RecordableMessage = object;
