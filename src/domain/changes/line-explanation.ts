import type { ContextSource } from "../conversation/call-context.js";
import type { MessageOrigin } from "../conversation/conversation.js";
import type { Source } from "../conversation/provenance.js";
import type { SessionKey } from "../session/session-key.js";
import type { PathMatch } from "./file-paths.js";
import type { LineMatch } from "./line-owners.js";

/** The reason for lines of a file: the edits that wrote them, and the model's evidence for them. */
export interface LinesExplained {
  readonly file: string;
  /** From 1, in the file or in the text of the request. */
  readonly from: number;
  readonly to: number;
  /** Runs of lines with the same answer, in their order: at most {@link MOST_BLOCKS}. */
  readonly blocks: readonly ExplainedLines[];
  readonly moreBlocks: number;
  readonly coverage: LinesCoverage;
}

export const MOST_BLOCKS = 500;

export interface LinesCoverage {
  /** Sessions that edited a file of that name; `edits` counts their edits. */
  readonly sessions: number;
  readonly edits: number;
  /** Unread sessions: repeat the request. */
  readonly unread: number;
  readonly undecided: number;
}

export interface ExplainedLines {
  readonly from: number;
  readonly to: number;
  /** Start of the first line that is not blank. */
  readonly text: string;
  /** Most likely first; empty if no session wrote the lines. */
  readonly candidates: readonly LineCandidate[];
  readonly commit?: LineCommit;
}

export interface LineCommit {
  /** Absent for an uncommitted line. */
  readonly id?: string;
  readonly author: string;
  readonly summary: string;
  readonly timestamp: string;
}

export interface LineCandidate extends SessionKey {
  readonly title?: string;
  /** The tool call of the edit; `id` is that of its first envelope. */
  readonly call: {
    readonly id: string;
    readonly sequence: number;
    readonly timestamp: string;
    readonly tool: string;
    /** Absent for the main agent. */
    readonly agentId?: string;
  };
  readonly path: string;
  /** From 0 to 1. Candidates below {@link LEAST_SCORE} are omitted. */
  readonly score: number;
  readonly evidence: LineEvidence;
  /** Context of the call that requested the edit. Only for the first edits. */
  readonly saw?: WriterContext;
}

export const LEAST_SCORE = 0.4;

export interface LineEvidence {
  readonly lines: { readonly [match in LineMatch]?: number };
  readonly path: PathMatch;
  /** Time of the edit: between the commit of the lines and the file's previous commit, or earlier. Absent without a commit. */
  readonly commit?: "between" | "before";
  /** True for an edit with the same text and a more likely alternative. */
  readonly isAlternative: boolean;
}

export interface WriterContext {
  /** Id of the first envelope of the model call, for `GET /sessions/{id}/context?call=`. */
  readonly call: string;
  readonly messages: number;
  readonly estimatedTokens: number;
  readonly countedTokens?: number;
  /** `null` if the call has no recorded context. */
  readonly source: ContextSource;
  /** The message with the deciding words; `null` if its context has no words of these lines. */
  readonly because: DecidingMessage | null;
  readonly ownWords: readonly string[];
  readonly newWords: readonly string[];
}

/** The first message of a context with the rarest words of some lines. */
export interface DecidingMessage {
  readonly index: number;
  readonly item?: number;
  readonly origin: MessageOrigin;
  /** Words that it was the first to contain, rarest first. */
  readonly words: readonly string[];
  readonly text: string;
  readonly source: Source;
}
