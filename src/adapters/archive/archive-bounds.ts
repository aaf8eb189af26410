/**
 * An archive may come from a stranger, and stays in memory. The bounds are far above real sessions, and below the memory of a browser
 * tab.
 */

const MIB = 1024 * 1024;

/** Of all lines. More is an error of the file. */
export const MOST_CHARACTERS = 512 * MIB;
export const MOST_LINES = 2_000_000;

/** In characters; more is an error of the file. A head has a few hundred. */
export const LONGEST_LINE = 64 * MIB;
export const LONGEST_HEAD = MIB;

/** Maximum size of an unpacked archive: these bytes, plus this many for each byte of the file. */
export const FREE_BYTES = 64 * MIB;
export const MOST_EXPANSION = 20_000;

/** Each block costs a turn of the event loop, which takes milliseconds in a browser. */
export const MOST_BLOCKS = 4_000;

/** In characters, of a line that is not a record. The reader omits a longer one. */
export const LONGEST_MEMBERS = 16 * MIB;

/** Each value in a line takes memory, however short it is. The reader omits a line with more. */
export const MOST_VALUES = 4_000_000;

/** Conversations of sub-agents count over all sessions. The reader omits the rest. */
export const MOST_SESSIONS = 100_000;
export const MOST_CONVERSATIONS = 20_000;

/** Of a session's facts. A session without facts is added up from its records. */
export const MOST_ROWS = 50_000;
export const MOST_ROWS_OF_ALL = 1_000_000;

/** Of one member of a session other than its facts. The reader omits a larger one. */
export const MOST_ITEM_VALUES = 10_000;
export const MOST_ITEM_CHARACTERS = 100_000;

/** Calls and messages of a conversation, times the removals of its outline. */
export const MOST_OUTLINE_WORK = 20_000_000;

/** Of one list; one more warning counts the rest. */
export const MOST_WARNINGS = 1_000;
export const LONGEST_WARNING = 1_000;
