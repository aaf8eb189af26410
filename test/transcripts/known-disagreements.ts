type Conversations = Readonly<Record<string, string>>;

/**
 * Where the inspector is known to say something else than the raw files, by history and conversation, and why. A conversation that agrees
 * has to leave this list: it fails the test.
 */
export const KNOWN: Readonly<Record<string, Conversations>> = {
  "made/masked result": {
    "session-2026-05-01T09-00-S1": "a result in whose place a note was put is still seen",
  },
  "made/compression": { "session-2026-05-01T09-00-S2": "messages that a compression kept are not seen" },
};

/** Conversations of which the raw file does not say what was seen, and why. */
export const UNKNOWABLE: Readonly<Record<string, Conversations>> = {
  "claude-code/agent-sessions": {
    small:
      "put together from pieces: records of two conversations have the same parent, and many the same id",
    "small, sub-agents": "of the same file",
  },
};
