import { beginningOf, type OracleMessage, objectIn, type Raw, type RawLine, textIn } from "./oracle-call.js";

/** A message of a request, or its counterpart in the conversation. */
interface Sent {
  readonly role: string | undefined;
  readonly blob: OracleMessage | undefined;
}

/**
 * The request of a call, each message from its own record or from the conversation. Without a request that fits the conversation: `seen`.
 * @param answer the first record of the answer
 * @param seen of the conversation
 */
export function asSent(
  answer: Raw,
  seen: readonly OracleMessage[],
  lines: readonly RawLine[],
): OracleMessage[] {
  const hashes = hashesOf(textIn(answer, "requestRef"), lines);
  if (hashes === undefined) return [...seen];
  const blobs = new Map(lines.flatMap((line) => blobIn(line)));
  const sent = hashes.map((hash): Sent => blobs.get(hash) ?? { role: undefined, blob: undefined });
  const pieces = piecesOf(seen);
  const found: OracleMessage[] = [];
  let before: Sent | undefined;
  let turn = "user";
  for (const one of sent) {
    const { role, blob } = one;
    if (role === "system") {
      found.push(blob!);
      continue;
    }
    if (before !== undefined && role !== turn) {
      pieces.shift();
      turn = turn === "user" ? "assistant" : "user";
    } else if (before !== undefined && (turn === "assistant" || before.blob === undefined)) return [...seen];
    before = one;
    const [piece] = pieces;
    if (piece?.role !== turn || (role ?? turn) !== turn) return [...seen];
    if (blob === undefined) found.push(...piece.messages);
    else found.push({ ...blob, answerId: piece.messages[0]!.answerId });
  }
  return pieces.length === 1 && turn === "user" ? found : [...seen];
}

/** Follows the requests that a request extends. */
function hashesOf(id: string | undefined, lines: readonly RawLine[]): string[] | undefined {
  const request = lines.find(({ record }) => record.type === "api-request" && record.id === id)?.record;
  if (id === undefined || request === undefined) return undefined;
  const base = textIn(request, "base");
  const before = base === undefined ? [] : hashesOf(base, lines);
  const tail = Array.isArray(request.tail) ? request.tail.map(String) : [];
  return before && [...before.slice(0, Number(request.keep)), ...tail];
}

function blobIn({ file, line, record }: RawLine): [string, Sent][] {
  if (record.type !== "api-request-blob") return [];
  const message = objectIn(record, "message");
  const role = String(message.role);
  const blob = { key: `${file}:${line}`, role, text: beginningOf(message.content) };
  return [[String(record.hash), { role, blob }]];
}

interface Piece {
  readonly role: string;
  readonly messages: OracleMessage[];
}

function piecesOf(seen: readonly OracleMessage[]): Piece[] {
  const pieces: Piece[] = [];
  for (const one of seen) {
    const same = pieces
      .slice(-2)
      .find(({ role, messages }) =>
        one.role === "assistant"
          ? messages.some(({ answerId }) => answerId !== undefined && answerId === one.answerId)
          : role === "user" && pieces.at(-1)?.role === "user",
      );
    if (same === undefined) pieces.push({ role: one.role, messages: [one] });
    else same.messages.push(one);
  }
  return pieces;
}
