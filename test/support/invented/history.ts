/**
 * A small history of one kind of source, written by hand from the description of its format. All kinds contain the same story as far as
 * their formats allow. One session has two turns and a record that is cut off. In another one a sub-agent works, or the context is compacted.
 */
export interface InventedHistory {
  /** The name that `--source` takes. */
  readonly kind: string;
  /** The contents of its files by their paths. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Writes files that are not text, such as databases. */
  readonly write?: (folder: string) => void;
  /** The folders in it that are recognised as well. Default is none. */
  readonly inside?: readonly string[];
  /** The number of problems in the report of the source. Default is the number of warnings. */
  readonly problems?: number;
  readonly sessions: readonly InventedSession[];
}

/** The figures of a session, worked out by hand. */
export interface InventedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly title: string;
  readonly model: string | undefined;
  /** Default is `idle`. */
  readonly status?: string;
  readonly lastAnswer: string | undefined;
  /** The outcome of each turn of the session itself. */
  readonly turns: readonly string[];
  /** Model calls, those of sub-agents included. */
  readonly calls: number;
  /** Input without what a cache served, output, cache reads, cache writes. `undefined` where no record counts tokens. */
  readonly tokens:
    | readonly [input: number, output: number, cacheReads: number, cacheWrites: number]
    | undefined;
  /** The tool calls by their names, those of sub-agents included. */
  readonly tools: Readonly<Record<string, number>>;
  /** The results that are errors. */
  readonly failedTools: number;
  readonly errors: number;
  readonly compactions?: number;
  /** The ids of its sub-agents. */
  readonly agents?: readonly string[];
  readonly messages: number;
  /** The lines that cannot be read, such as `s1.jsonl:4`. */
  readonly warnings?: readonly string[];
}

/** The texts of the story. Where a format counts tokens, each model call reads 100, 40 of them from a cache, and writes 10. */
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
