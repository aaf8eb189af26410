import type { ContextSource } from "../conversation/call-context.js";
import type { MessageOrigin } from "../conversation/conversation.js";
import type { Source } from "../conversation/provenance.js";
import type { PathMatch } from "./file-paths.js";
import type { LineMatch } from "./owned-lines.js";

/** Why lines of a file are there: which edit of a session wrote them, and by what its model knew to. */
export interface LinesExplained {
  /** As it was asked for. */
  readonly file: string;
  /** The lines that are explained, from 1: of the file, or of the text that was given. */
  readonly from: number;
  readonly to: number;
  /** Runs of lines that have the same answer, in their order: at most {@link MOST_BLOCKS}. */
  readonly blocks: readonly ExplainedLines[];
  /** How many further runs there are. */
  readonly moreBlocks: number;
  readonly coverage: LinesCoverage;
}

export const MOST_BLOCKS = 500;

/** What was looked at. */
export interface LinesCoverage {
  /** Sessions that edited a file of that name, and how many edits of it there are. */
  readonly sessions: number;
  readonly edits: number;
  /** Sessions that are not read yet: ask again. */
  readonly unread: number;
  /** Sessions of which it is not known which files they edited. */
  readonly undecided: number;
}

export interface ExplainedLines {
  readonly from: number;
  readonly to: number;
  /** The beginning of the first one that is not blank. */
  readonly text: string;
  /** Which edits may have written them, the likeliest first; empty where no session wrote them. */
  readonly candidates: readonly LineCandidate[];
  /** What the repository says of them, where it was asked. */
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
  /** From 0 to 1. Below {@link LEAST_SCORE} nothing is given. */
  readonly score: number;
  readonly evidence: LineEvidence;
  /** What the model saw when it asked for the edit. Absent where that was not looked up: of the first edits alone it is. */
  readonly saw?: SeenByWriter;
}

export const LEAST_SCORE = 0.4;

export interface LineEvidence {
  /** How many of the lines are known in which way. */
  readonly lines: { readonly [match in LineMatch]?: number };
  readonly path: PathMatch;
  /**
   * How the edit lies to the commit that the lines come from: between it and the file's commit before, or earlier. Absent where no commit is
   * known.
   */
  readonly commit?: "between" | "before";
  /** Whether another edit is the likelier writer, and this one wrote the same text. */
  readonly isAlternative: boolean;
}

export interface SeenByWriter {
  /** The model call, by the envelope that began it: `GET /sessions/{id}/context?call=` shows all that it saw. */
  readonly call: string;
  readonly messages: number;
  readonly estimatedTokens: number;
  /** As the vendor counted them. */
  readonly countedTokens?: number;
  /** Where it is known from; `null` where it is not known what the call saw. */
  readonly source: ContextSource;
  /** The message that put the deciding words there; `null` where nothing that it saw holds words of these lines. */
  readonly because: DecidingMessage | null;
  /** Words of the lines that the model had said first, and those that were nowhere before. */
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
  /** What it says around the rarest one. */
  readonly text: string;
  /** Who or what put it there. */
  readonly source: Source;
}
