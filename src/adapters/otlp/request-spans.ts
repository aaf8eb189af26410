import {
  CUT_OFF,
  cutDeep,
  isJsonObject,
  type JsonObject,
  labelOf,
  MOST_LEVELS,
  objectField,
} from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { instantOf, isOddInstant } from "../../domain/trace/instant.js";
import { OWN_ATTRIBUTES } from "../spans/own-attributes.js";
import type { RecordedSpan, SpanEvent } from "../spans/recorded-span.js";

interface RequestSpan extends RecordedSpan {
  /** True if it states an instant that counts as not recorded. Default is false. */
  readonly hasOddInstant?: boolean;
}

/**
 * Reads JSON of the OpenTelemetry Protocol: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding. Also accepts names in snake
 * case, IDs in base64, enumerations by name, and names before 1.0, because files contain them. Skips values that are not spans or have no
 * IDs.
 */
export function requestSpans(request: JsonObject): RequestSpan[] {
  return new RequestReader().spansOf(request);
}

export class RequestReader {
  readonly #wanted: ReadonlySet<string> | undefined;
  /** Requests of one process mostly follow each other. */
  #process = "";
  #resource: JsonObject = {};
  /** Number of spans without usable ids so far. */
  unusable = 0;

  /** @param wanted attributes of spans to read, then without events. Default is all */
  constructor(wanted?: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  /** Spans of one process have the same `resource` object if their requests follow each other. */
  spansOf(request: JsonObject): RequestSpan[] {
    const spans: RequestSpan[] = [];
    for (const process of listOf(request, "resourceSpans")) {
      const resource = this.#resourceOf(process);
      for (const member of SCOPES) {
        for (const scoped of listOf(process, member)) {
          const scope = objectField(scoped, "scope" in scoped ? "scope" : "instrumentationLibrary");
          const name = labelOf(scope.name) ?? "";
          for (const recorded of listOf(scoped, "spans")) {
            const span = spanOf(recorded, resource, name, this.#wanted);
            if (span === undefined) this.unusable++;
            else spans.push(span);
          }
        }
      }
    }
    return spans;
  }

  #resourceOf(process: JsonObject): JsonObject {
    const resource = objectField(process, "resource");
    const text = jsonTextOf(resource)!;
    if (text !== this.#process) {
      this.#resource = attributesOf(resource);
      this.#process = text;
    }
    return this.#resource;
  }
}

const SCOPES = ["scopeSpans", "instrumentationLibrarySpans"] as const;

function spanOf(
  span: JsonObject,
  resource: JsonObject,
  scope: string,
  wanted: ReadonlySet<string> | undefined,
): RequestSpan | undefined {
  const traceId = idOf(member(span, "traceId"), 16);
  const spanId = idOf(member(span, "spanId"), 8);
  if (traceId === undefined || spanId === undefined) return undefined;
  const status = objectField(span, "status");
  const [start, end] = [member(span, "startTimeUnixNano"), member(span, "endTimeUnixNano")].map(timeOf);
  const startedAt = instantOf(start) ?? instantOf(end) ?? 0;
  const attributes = attributesOf(span, MOST_LEVELS, wanted);
  return {
    traceId,
    spanId,
    parentSpanId: idOf(member(span, "parentSpanId"), 8),
    isParentLocal: isParentLocal(Number(labelOf(span.flags))),
    name: labelOf(span.name) ?? "",
    ...(isOddInstant(start) || isOddInstant(end) ? { hasOddInstant: true } : {}),
    startedAt,
    // A span with an invalid end has ended, and has its usage.
    endedAt:
      attributes[OWN_ATTRIBUTES.unfinished] === true || end === undefined
        ? undefined
        : (instantOf(end) ?? startedAt),
    status: statusOf(status.code),
    statusMessage: labelOf(status.message),
    attributes,
    events: wanted === undefined ? eventsOf(span, startedAt) : NO_EVENTS,
    resource,
    scope,
  };
}

/** https://github.com/open-telemetry/opentelemetry-proto/blob/v1.7.0/opentelemetry/proto/trace/v1/trace.proto (SpanFlags) */
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

function isParentLocal(flags: number): boolean | undefined {
  return (flags & HAS_IS_REMOTE) === 0 ? undefined : (flags & IS_REMOTE) === 0;
}

function eventsOf(span: JsonObject, startedAt: number): readonly SpanEvent[] {
  const events = listOf(span, "events");
  return events.length === 0 ? NO_EVENTS : events.map((event) => eventOf(event, startedAt));
}

const NO_EVENTS: readonly SpanEvent[] = [];

function eventOf(event: JsonObject, startedAt: number): SpanEvent {
  return {
    name: labelOf(event.name) ?? "",
    at: instantOf(timeOf(member(event, "timeUnixNano"))) ?? startedAt,
    attributes: attributesOf(event),
  };
}

function statusOf(code: unknown): RecordedSpan["status"] {
  if (code === 2 || code === "STATUS_CODE_ERROR" || code === "ERROR") return "error";
  return code === 1 || code === "STATUS_CODE_OK" || code === "OK" ? "ok" : "unset";
}

/**
 * From nanoseconds, as digits or a number, to milliseconds. Absent for 0. `NaN` for other values, and after the year 2262: writers put a
 * negative number of 64 bits there, such as that of the year 1.
 */
function timeOf(nanoseconds: unknown): number | undefined {
  if (nanoseconds === undefined || nanoseconds === null) return undefined;
  const digits = labelOf(nanoseconds);
  if (digits === undefined || !/^\d{1,20}$/.test(digits)) return Number.NaN;
  const milliseconds = digits.length > 6 ? Number(digits.slice(0, -6)) : 0;
  const time = milliseconds + Number(digits.slice(-6)) / 1e6;
  return time === 0 ? undefined : time < MOST_MS ? time : Number.NaN;
}

const MOST_MS = 2 ** 63 / 1e6;

/** The standard requires hexadecimal; writers also use base64. Absent if it is empty or zero. */
function idOf(value: unknown, bytes: number): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const length = bytes * 2;
  if (value.length === length && LOWER_HEX.test(value)) return isZero(value) ? undefined : value;
  const isHex = value.length === length && /^[\da-f]+$/i.test(value);
  const id = isHex ? value.toLowerCase() : Buffer.from(value, "base64").toString("hex");
  return id.length !== length || isZero(id) ? undefined : id;
}

const LOWER_HEX = /^[\da-f]+$/;

const isZero = (id: string) => id.startsWith("00000000") && /^0+$/.test(id);

/**
 * @param levels maximum nesting; deeper values are cut off
 * @param wanted names to read. Default is all
 */
function attributesOf(
  holder: JsonObject,
  levels: number = MOST_LEVELS,
  wanted?: ReadonlySet<string>,
): JsonObject {
  const attributes: { [name: string]: unknown } = {};
  for (const { key, value } of listOf(holder, "attributes")) {
    if (typeof key !== "string" || wanted?.has(key) === false) continue;
    const plain = plainValue(value, levels);
    // An assignment would set the prototype.
    if (key === "__proto__") Object.defineProperty(attributes, key, { ...OWN, value: plain });
    else attributes[key] = plain;
  }
  return attributes;
}

function firstName(object: JsonObject): string | undefined {
  for (const name in object) return name;
  return undefined;
}

const OWN = { enumerable: true, configurable: true, writable: true };

function plainValue(value: unknown, levels: number): unknown {
  if (!isJsonObject(value)) return cutDeep(value ?? null, levels);
  const name = firstName(value);
  const content = name === undefined ? null : value[name];
  switch (name) {
    case "intValue":
    case "int_value":
      return numberOf(cutDeep(content, levels));
    case "arrayValue":
    case "array_value":
      if (levels === 0) return CUT_OFF;
      return isJsonObject(content) ? listIn(content.values).map((one) => plainValue(one, levels - 1)) : [];
    case "kvlistValue":
    case "kvlist_value":
      if (levels === 0) return CUT_OFF;
      return isJsonObject(content) ? attributesOf({ attributes: content.values }, levels - 1) : {};
    default:
      return cutDeep(content, levels);
  }
}

/** Digits stay text if a number cannot hold all of them. */
function numberOf(content: unknown): unknown {
  const number = typeof content === "object" ? Number.NaN : Number(content);
  return Number.isSafeInteger(number) ? number : content;
}

const SNAKE_CASE = {
  resourceSpans: "resource_spans",
  scopeSpans: "scope_spans",
  instrumentationLibrarySpans: "instrumentation_library_spans",
  traceId: "trace_id",
  spanId: "span_id",
  parentSpanId: "parent_span_id",
  startTimeUnixNano: "start_time_unix_nano",
  endTimeUnixNano: "end_time_unix_nano",
  timeUnixNano: "time_unix_nano",
  spans: "spans",
  events: "events",
  attributes: "attributes",
} as const;

type MemberName = keyof typeof SNAKE_CASE;

function member(object: JsonObject, name: MemberName): unknown {
  return object[name] ?? object[SNAKE_CASE[name]];
}

function listOf(object: JsonObject, name: MemberName): readonly JsonObject[] {
  const list = member(object, name);
  if (!Array.isArray(list)) return NO_OBJECTS;
  for (const element of list) if (!isJsonObject(element)) return list.filter(isJsonObject);
  return list;
}

const NO_OBJECTS: readonly JsonObject[] = [];

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
