/**
 * A small history of one kind of source, written by hand from its format's description; all kinds have the same story. One session has
 * two turns and a torn record; another has a sub-agent or a compaction.
 */
export interface InventedHistory {
  /** The value of `--source`. */
  readonly kind: string;
  /** Contents by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** For files that are not text, such as databases. */
  readonly write?: (folder: string) => void;
  /** Folders in it that are histories, too. Default is empty. */
  readonly inside?: readonly string[];
  /** Problems in the report of the source. Default is the number of warnings. */
  readonly problems?: number;
  readonly sessions: readonly InventedSession[];
}

/** Figures counted by hand. */
export interface InventedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly title: string;
  readonly model: string | undefined;
  /** Default is `idle`. */
  readonly status?: string;
  readonly lastAnswer: string | undefined;
  /** Outcomes of the session's own turns. */
  readonly turns: readonly string[];
  /** Sub-agents included. */
  readonly calls: number;
  /** Input is uncached. `undefined` where no record counts tokens. */
  readonly tokens:
    | readonly [input: number, output: number, cacheReads: number, cacheWrites: number]
    | undefined;
  /** By name, sub-agents included. */
  readonly tools: Readonly<Record<string, number>>;
  readonly failedTools: number;
  readonly errors: number;
  readonly compactions?: number;
  readonly agents?: readonly string[];
  readonly messages: number;
  /** Unreadable lines, such as `s1.jsonl:4`. */
  readonly warnings?: readonly string[];
}

/** Where a format counts tokens, each model call reads 100, 40 of them from a cache, and writes 10. */
export const STORY = {
  first: "Count the books.",
  seven: "There are seven books.",
  second: "And the shelves?",
  none: "There are no shelves.",
  delegated: "Let somebody count the pens.",
  task: "Count the pens.",
  three: "There are three pens.",
} as const;

/** The beginning of a record whose writer was killed. */
export const TORN = '{"type":"us\n';
