/**
 * A small history of one kind of source, written by hand from the description of its format. All kinds tell the same story as far as they
 * can: a session with two turns and a record that is cut off, and one in which a sub-agent works or the context is compacted.
 */
export interface InventedHistory {
  /** The name that `--source` takes. */
  readonly kind: string;
  /** The contents of its files by their paths. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Writes files whose contents no text can express, such as databases. */
  readonly write?: (folder: string) => void;
  /** The folders in it that are recognised as well. Default is none. */
  readonly inside?: readonly string[];
  /** How many problems the report of the source counts. Default is the number of warnings. */
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
  /** How each turn of the session itself ends. */
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

/** The texts of the story. Each model call reads 100 tokens, 40 of them from a cache, and writes 10, where a format can say so. */
export const STORY = {
  first: "Count the books.",
  seven: "There are seven books.",
  second: "And the shelves?",
  none: "There are no shelves.",
  delegated: "Let somebody count the pens.",
  task: "Count the pens.",
  three: "There are three pens.",
} as const;

/** What is left of a record whose writer was killed. */
export const TORN = '{"type":"us\n';
