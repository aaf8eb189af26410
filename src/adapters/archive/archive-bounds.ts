/**
 * Bounds for reading an archive. An archive may come from a stranger, and is held in memory. The bounds are far above real sessions, and
 * below the memory of a browser tab.
 */

const MIB = 1024 * 1024;

/** All lines of an archive, in characters, and their count: more is an error of the file. */
export const MOST_CHARACTERS = 512 * MIB;
export const MOST_LINES = 2_000_000;

/** One line, in characters: more is an error of the file. The head has a few hundred. */
export const LONGEST_LINE = 64 * MIB;
export const LONGEST_HEAD = MIB;

/** Maximum size of an unpacked archive: these bytes, plus this many for each byte of the file. */
export const FREE_BYTES = 64 * MIB;
export const MOST_EXPANSION = 20_000;

/** The blocks of a packed archive. Each costs a turn of the event loop, which takes milliseconds in a browser. */
export const MOST_BLOCKS = 4_000;

/** A line that is no record, in characters: a longer one is left out. */
export const LONGEST_MEMBERS = 16 * MIB;

/** The values in one line: each takes memory, however short it is. A line with more is left out. */
export const MOST_VALUES = 4_000_000;

/** Sessions, and conversations of sub-agents of all sessions together: what follows is left out. */
export const MOST_SESSIONS = 100_000;
export const MOST_CONVERSATIONS = 20_000;

/** Rows of a session's facts, and of all sessions together. A session without facts is added up from its records. */
export const MOST_ROWS = 50_000;
export const MOST_ROWS_OF_ALL = 1_000_000;

/** One member of a session other than its facts: values and characters. A larger one is left out. */
export const MOST_ITEM_VALUES = 10_000;
export const MOST_ITEM_CHARACTERS = 100_000;

/** Calls and messages of a conversation, times the removals of its outline: the work for its contexts. */
export const MOST_OUTLINE_WORK = 20_000_000;

/** Warnings of one list, and the characters of each. One more counts the rest. */
export const MOST_WARNINGS = 1_000;
export const LONGEST_WARNING = 1_000;
