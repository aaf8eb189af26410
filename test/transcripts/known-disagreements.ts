type Conversations = Readonly<Record<string, string>>;

const INLINE_AGENT = "a sub-agent without a file of its own has no conversation, so its calls no context";

/**
 * Where the inspector is known to say something else than the raw files, by history and conversation, and why. A conversation that agrees
 * has to leave this list: it fails the test.
 */
export const KNOWN: Readonly<Record<string, Conversations>> = {
  "claude-code/claude-code-viewer": {
    "5c0375b4-57a5-4f26-b12d-d022ee4e51b7, sub-agents": INLINE_AGENT,
    "fe5e1c67-53e7-4862-81ae-d0e013e3270b, sub-agents": INLINE_AGENT,
  },
  "claude-code/entire-cli": {
    "3ae3ab59-52bc-413d-ad30-02b165c91785, sub-agents": INLINE_AGENT,
    "60b38d1e-f048-428b-89da-e5dca96614d4, sub-agents": INLINE_AGENT,
  },
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
