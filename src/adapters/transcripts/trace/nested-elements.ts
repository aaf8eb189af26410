import { COMMA, isWhiteSpace, OPEN_BRACKET } from "../../../domain/json/json-bytes.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import type { Line } from "../../files/bytes/line.js";
import { partOf } from "../../files/bytes/parse-line.js";

/**
 * Each element has its own location and line number.
 * @param names path to the array, outer members first
 */
export function* elementsWithin(line: Line, names: readonly string[]): Generator<Line, void> {
  const { bytes } = line;
  let { from, to } = line;
  for (const name of names) {
    const lexer = new JsonLexer([name]);
    if (lexer.read(bytes, from, to) !== "object" || lexer.start(0) < 0) return;
    [from, to] = [lexer.start(0), lexer.end(0)];
  }
  yield* elementsOf(partOf(line, from, to));
}

export function* elementsOf(line: Line): Generator<Line, void> {
  const { bytes, from, to } = line;
  if (bytes[from] !== OPEN_BRACKET) return;
  const values = new JsonLexer([]);
  for (let i = from + 1; i < to - 1; ) {
    if (bytes[i] === COMMA || isWhiteSpace(bytes[i]!)) {
      i++;
      continue;
    }
    values.read(bytes, i, to);
    const end = values.valueEnd;
    if (end < 0) return;
    yield partOf(line, i, end);
    i = end;
  }
}
