export const CONVERSATION_STRINGS = {
  choose: "Whose conversation",
  about: "What the sub-agent was for",
  asked: "Prompt",
  answered: "Result",
  noPrompt: "What it was asked is not recorded.",
  noAnswer: "No answer of it is recorded.",
  askedBy: (agent: string) => `Asked by ${agent}`,
  usedBy: (agent: string) => `Where ${agent} was given it, and went on`,
  given: "What it was given at first",
  context: "What it saw, call by call",
  conversation: "Its conversation",
  steps: "Its steps in the trace",
  notKept: "No conversation of this sub-agent is kept",
  notKeptHint:
    "What it was asked and what it answered is shown above, as far as it is recorded; the trace shows what it did.",
  notSeen: "It is not known what this sub-agent saw",
  notSeenHint: "Neither its conversation is kept, nor what its model calls were given.",
} as const;
