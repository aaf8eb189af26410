/** A file of a session. */
export interface TranscriptFile {
  readonly path: string;
  /** The sub-agent whose file it is; `""` for the conversation itself. Of another file among them, a unique name. */
  readonly agentId: string;
  /** Whether it is a sub-agent's; else the conversation, or another file that lies among sub-agents. */
  readonly isAgent: boolean;
  /** Whether every line is of that agent, whichever agent it names. */
  readonly isOneConversation: boolean;
  /**
   * The member whose array holds the records, where the file is one JSON document; else each line is a record. A document is
   * written anew when it grows, so what is derived from it is derived anew.
   */
  readonly arrayMember?: string | undefined;
  /** A small file beside it that describes it, where there may be one. */
  readonly notePath?: string | undefined;
}

/** The files of a session: its conversation, then its sub-agents'. */
export interface TranscriptFiles {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly files: readonly [TranscriptFile, ...TranscriptFile[]];
}

/** A session as it was found, with the sessions that may have written records of it first. */
export interface FoundSession extends TranscriptFiles {
  readonly relatives: readonly TranscriptFiles[];
}
