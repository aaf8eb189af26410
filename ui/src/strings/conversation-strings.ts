export const CONVERSATION_STRINGS = {
  choose: "Agent of the conversation",
  about: "Task of the sub-agent",
  prompt: "Prompt",
  result: "Result",
  noPrompt: "The prompt is not recorded.",
  noAnswer: "No result is recorded.",
  promptLink: (agent: string) => `Prompt by ${agent}`,
  resultLink: (agent: string) => `Result received by ${agent}`,
  initialContext: "Initial context",
  context: "Context, call by call",
  conversation: "Conversation",
  steps: "Steps in the trace",
  noConversation: "No conversation of this sub-agent is recorded",
  noConversationHint:
    "The prompt and the result are above, as far as they are recorded. The trace shows the steps.",
  noContext: "The context of this sub-agent is not recorded",
  noContextHint: "Neither its conversation nor the input of its model calls is recorded.",
} as const;
