/** What a browser's parser tells of a value besides it: https://github.com/tc39/proposal-json-parse-with-source */
interface ParseContext {
  readonly source?: string;
}

/** Longer integers are no ids, and take longer to convert than anybody waits. */
const MAX_DIGITS = 1_000;

/**
 * Parses JSON that somebody looks at: an integer that JavaScript's numbers would round becomes a `bigint`, with every digit.
 * A browser whose parser does not tell the text of a value gives the rounded number.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
}

function keepDigits(_name: string, value: unknown, context?: ParseContext): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const { source = "" } = context ?? {};
  return source.length <= MAX_DIGITS && /^-?\d+$/.test(source) ? BigInt(source) : value;
}
