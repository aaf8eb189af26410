import type { HostileCase } from "./case.js";
import { FUNCTIONS, HANDLERS, PAIRS } from "./functions.js";
import { LISTS_OF_NO_RECORDS, MEMBERS_OF_OTHER_SHAPE, TRACE_KEYS } from "./shapes.js";
import { BORDERS, COUNTS, ITERATORS, LATE_FAILURES, SIZES } from "./streams.js";

export const HOSTILE_CASES: readonly HostileCase[] = [
  ...FUNCTIONS,
  ...PAIRS,
  ...HANDLERS,
  ...LISTS_OF_NO_RECORDS,
  ...MEMBERS_OF_OTHER_SHAPE,
  ...TRACE_KEYS,
  ...SIZES,
  ...COUNTS,
  ...BORDERS,
  ...ITERATORS,
  ...LATE_FAILURES,
];
