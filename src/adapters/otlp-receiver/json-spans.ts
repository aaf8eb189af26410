import { isUtf8 } from "node:buffer";
import type { JsonObject } from "../../domain/json/json.js";
import {
  COMMA,
  isWhiteSpace,
  LF,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from "../../domain/json/json-bytes.js";
import { JsonLexer } from "../../domain/json/json-lexer.js";
import { isPause } from "../../domain/lists/is-pause.js";
import { ownTenant, TENANT_ATTRIBUTES } from "../spans/span-outline.js";
import { RefusedRequest } from "./refused-request.js";
import type { SpanLines } from "./span-lines.js";
import { INVALID_IDS, isValidId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from "./span-lines.js";
import { tenantAttributes } from "./tenant-attributes.js";

interface Part {
  readonly from: number;
  readonly to: number;
}

const SPAN_MEMBERS = ["traceId", "spanId", "attributes"];
const END = Buffer.from("]}");
const OPEN = Buffer.of(OPEN_BRACKET);
const CLOSE = Buffer.from("]");
const NULL = Buffer.from("null");

/**
 * Reads an `ExportTraceServiceRequest` in JSON. Lines are made from the request's own text, so that numbers keep all their digits and
 * unknown members remain.
 * @throws RefusedRequest if the text is not JSON, has a wrong value instead of a list or an object, or has too many of them
 */
export function* readJson(bytes: Buffer, lines: SpanLines): Generator<void, void> {
  const lexer = new JsonLexer(["resourceSpans"]);
  const verdict = isUtf8(bytes) ? yield* lexer.readInSteps(bytes, 0, bytes.length) : "invalid";
  if (verdict !== "object") {
    const problem = verdict === "value" ? "JSON, but no object" : "no JSON in UTF-8";
    throw new RefusedRequest(400, `The body is ${problem}.`);
  }
  yield* joinLines(bytes);
  // An empty request is valid and needs no warning.
  if (lexer.start(0) < 0 && !isEmptyObject(bytes)) warnOfMissing(lines, "resourceSpans", "the request");
  for (const resource of listIn(bytes, lexer, "resourceSpans")) {
    yield lines.countPart();
    const scopes = yield* memberOf(bytes, resource, ["scopeSpans", "resource"], lines);
    const ofProcess = resourceAttributes(bytes, scopes.start(1), scopes.end(1));
    for (const scope of listIn(bytes, scopes, "scopeSpans")) {
      yield lines.countPart();
      const spans = yield* memberOf(bytes, scope, ["spans"], lines);
      const begin = [
        bytes.subarray(resource.from, scopes.start(0)),
        OPEN,
        bytes.subarray(scope.from, spans.start(0)),
        OPEN,
      ];
      const end = [
        CLOSE,
        bytes.subarray(spans.end(0), scope.to),
        CLOSE,
        bytes.subarray(scopes.end(0), resource.to),
        END,
      ];
      for (const { from, to } of listIn(bytes, spans, "spans")) {
        yield lines.countPart();
        const span = bytes.subarray(from, to);
        const problem = problemOf(span);
        if (problem !== undefined) lines.reject(problem);
        else lines.add(() => ownTenant(attributesOf(span), ofProcess()), [...begin, span, ...end]);
      }
    }
  }
}

/** Line feeds are white space between tokens, because no string of JSON holds one. */
function* joinLines(bytes: Buffer): Generator<void, void> {
  let count = 0;
  for (let i = bytes.indexOf(LF); i !== -1; i = bytes.indexOf(LF, i + 1)) {
    bytes[i] = SPACE;
    if (isPause(++count)) yield;
  }
}

function* memberOf(
  bytes: Buffer,
  { from, to }: Part,
  names: readonly [string, ...string[]],
  lines: SpanLines,
): Generator<void, JsonLexer> {
  const [name] = names;
  const lexer = new JsonLexer(names);
  const verdict = yield* lexer.readInSteps(bytes, from, to);
  if (verdict !== "object") throw new RefusedRequest(400, `What should hold ${name} is no object.`);
  if (lexer.start(0) < 0) warnOfMissing(lines, name, "a part of the request");
  return lexer;
}

function warnOfMissing(lines: SpanLines, name: string, where: string): void {
  lines.warn(`There is no ${name} in ${where}: nothing of it is recorded.`);
}

const elements = new JsonLexer([]);

function* listIn(bytes: Buffer, lexer: JsonLexer, name: string): Generator<Part, void> {
  const [from, to] = [lexer.start(0), lexer.end(0)];
  if (from < 0 || bytes.subarray(from, to).equals(NULL)) return;
  if (bytes[from] !== OPEN_BRACKET) throw new RefusedRequest(400, `${name} is no array.`);
  yield* elementsIn(bytes, from, to);
}

function* elementsIn(bytes: Buffer, from: number, to: number): Generator<Part, void> {
  for (let i = from + 1; i < to - 1; ) {
    if (bytes[i] === COMMA || isWhiteSpace(bytes[i]!)) {
      i++;
      continue;
    }
    elements.read(bytes, i, to); // an element is always followed by the end of the array
    const end = elements.valueEnd;
    yield { from: i, to: end };
    i = end;
  }
}

function isEmptyObject(bytes: Buffer): boolean {
  return bytes.length < 100 && bytes.toString("latin1").replace(/\s/g, "") === "{}";
}

const spanMembers = new JsonLexer(SPAN_MEMBERS);

function problemOf(span: Buffer): string | undefined {
  if (span[0] !== OPEN_BRACE) return "A span is a JSON object.";
  spanMembers.read(span, 0, span.length);
  const isIdentified =
    isValidId(textIn(span, spanMembers, 0), TRACE_ID_DIGITS) &&
    isValidId(textIn(span, spanMembers, 1), SPAN_ID_DIGITS);
  return isIdentified ? undefined : INVALID_IDS;
}

function textIn(bytes: Buffer, lexer: JsonLexer, member: number): string | undefined {
  const [from, to] = [lexer.start(member), lexer.end(member)];
  if (from < 0 || bytes[from] !== QUOTE) return undefined;
  return JSON.parse(bytes.toString("utf8", from, to)) as string;
}

function attributesOf(span: Buffer): JsonObject {
  return attributesAt(span, spanMembers.start(2), spanMembers.end(2));
}

function resourceAttributes(bytes: Buffer, from: number, to: number): () => JsonObject {
  let attributes: JsonObject | undefined;
  return () => {
    if (attributes !== undefined) return attributes;
    const lexer = new JsonLexer(["attributes"]);
    if (from >= 0) lexer.read(bytes, from, to);
    attributes = from < 0 ? {} : attributesAt(bytes, lexer.start(0), lexer.end(0));
    return attributes;
  };
}

function attributesAt(bytes: Buffer, from: number, to: number): JsonObject {
  const wanted: unknown[] = [];
  if (from < 0 || bytes[from] !== OPEN_BRACKET) return {};
  for (const part of elementsIn(bytes, from, to)) {
    const isObject = attributeMembers.read(bytes, part.from, part.to) === "object";
    const key = isObject ? textIn(bytes, attributeMembers, 0) : undefined;
    if (key !== undefined && TENANT_ATTRIBUTES.has(key)) {
      wanted.push(JSON.parse(bytes.toString("utf8", part.from, part.to)));
    }
  }
  return tenantAttributes(wanted);
}

const attributeMembers = new JsonLexer(["key"]);
