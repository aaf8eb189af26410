import type { ContextSource } from "../conversation/call-context.js";
import type { MessageOrigin } from "../conversation/conversation.js";
import type { Source } from "../conversation/provenance.js";
import type { PathMatch } from "./file-paths.js";
import type { LineMatch } from "./line-owners.js";

/** Why lines of a file are there: which edit of a session wrote them, and by what its model knew to. */
export interface LinesExplained {
  /** The file, as in the request. */
  readonly file: string;
  /** The explained lines, from 1: of the file, or of the text in the request. */
  readonly from: number;
  readonly to: number;
  /** Runs of lines that have the same answer, in their order: at most {@link MOST_BLOCKS}. */
  readonly blocks: readonly ExplainedLines[];
  /** Number of further runs. */
  readonly moreBlocks: number;
  readonly coverage: LinesCoverage;
}

export const MOST_BLOCKS = 500;

/** The examined sessions. */
export interface LinesCoverage {
  /** Sessions that edited a file of that name, and how many edits of it there are. */
  readonly sessions: number;
  readonly edits: number;
  /** Sessions that are not read yet: ask again. */
  readonly unread: number;
  /** Sessions whose edited files are not yet determined. */
  readonly undecided: number;
}

export interface ExplainedLines {
  readonly from: number;
  readonly to: number;
  /** The beginning of the first one that is not blank. */
  readonly text: string;
  /** Edits that may have written them, the likeliest first; empty if no session wrote them. */
  readonly candidates: readonly LineCandidate[];
  /** The repository's facts about them, if they were requested. */
  readonly commit?: LineCommit;
}

/** The commit that a line comes from. */
export interface LineCommit {
  /** Absent for a line that is not committed yet. */
  readonly id?: string;
  readonly author: string;
  readonly summary: string;
  /** When it was committed, in ISO 8601. */
  readonly timestamp: string;
}

/** An edit that may have written lines, and what speaks for it. */
export interface LineCandidate {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly title?: string;
  /** The tool call that made the edit, by the envelope that began it. */
  readonly call: {
    readonly id: string;
    readonly sequence: number;
    /** When it ended. */
    readonly timestamp: string;
    readonly tool: string;
    /** Absent for the main agent. */
    readonly agentId?: string;
  };
  /** The file as the call named it. */
  readonly path: string;
  /** From 0 to 1. Candidates below {@link LEAST_SCORE} are omitted. */
  readonly score: number;
  readonly evidence: LineEvidence;
  /** The context of the call that requested the edit. Present only for the first edits. */
  readonly saw?: SeenByWriter;
}

export const LEAST_SCORE = 0.4;

export interface LineEvidence {
  /** Number of lines by kind of match. */
  readonly lines: { readonly [match in LineMatch]?: number };
  readonly path: PathMatch;
  /**
   * Time of the edit relative to the commit of the lines: between this commit and the file's previous commit, or earlier. Absent without
   * a commit.
   */
  readonly commit?: "between" | "before";
  /** True if another edit is the likelier author, and this edit wrote the same text. */
  readonly isAlternative: boolean;
}

export interface SeenByWriter {
  /** The model call, by the envelope that began it: `GET /sessions/{id}/context?call=` shows all that it saw. */
  readonly call: string;
  readonly messages: number;
  readonly estimatedTokens: number;
  /** As the vendor counted them. */
  readonly countedTokens?: number;
  /** Origin of the context; `null` if the call has no recorded context. */
  readonly source: ContextSource;
  /** The message that put the deciding words there; `null` where nothing that it saw holds words of these lines. */
  readonly because: DecidingMessage | null;
  /** Words of the lines that the model wrote first, and words that no earlier message has. */
  readonly ownWords: readonly string[];
  readonly newWords: readonly string[];
}

/** The message of a context that first held the rarest words of some lines. */
export interface DecidingMessage {
  readonly index: number;
  /** Of a compaction's own messages: which one it is. */
  readonly item?: number;
  readonly origin: MessageOrigin;
  /** The words that it was the first to hold, the rarest first. */
  readonly words: readonly string[];
  /** The text around the rarest word. */
  readonly text: string;
  /** Who or what put it there. */
  readonly source: Source;
}
