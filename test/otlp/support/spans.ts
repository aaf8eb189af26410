type AttributeValue = string | number | boolean | readonly string[];

export interface InventedSpan {
  readonly id: number;
  readonly parent?: number;
  readonly trace?: number;
  readonly name?: string;
  /** Seconds after the start of 2026. */
  readonly from: number;
  readonly to?: number;
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  readonly error?: string;
  /** The span's flag for a local or a remote parent; absent for no flag. */
  readonly isParentLocal?: boolean;
}

const START = Date.UTC(2026, 0, 1);

export const traceId = (number = 1) => number.toString(16).padStart(32, "0");
export const spanId = (number: number) => number.toString(16).padStart(16, "0");
/** Exact to the microsecond. */
const nanos = (seconds: number) => `${BigInt(START) * 1_000n + BigInt(Math.round(seconds * 1e6))}000`;

function anyValue(value: AttributeValue): object {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return { intValue: String(value) };
  if (typeof value === "string") return { stringValue: value };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}

export function span({
  id,
  parent,
  trace,
  name = "step",
  from,
  to,
  attributes = {},
  error,
  isParentLocal,
}: InventedSpan) {
  return {
    traceId: traceId(trace),
    spanId: spanId(id),
    ...(parent === undefined ? {} : { parentSpanId: spanId(parent) }),
    name,
    kind: 1,
    ...(isParentLocal === undefined ? {} : { flags: isParentLocal ? 0x101 : 0x301 }),
    startTimeUnixNano: nanos(from),
    ...(to === undefined ? {} : { endTimeUnixNano: nanos(to) }),
    attributes: attributesOf(attributes),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

const attributesOf = (attributes: NonNullable<InventedSpan["attributes"]>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

export const event = (
  name: string,
  seconds: number,
  attributes: NonNullable<InventedSpan["attributes"]>,
) => ({ name, timeUnixNano: nanos(seconds), attributes: attributesOf(attributes) });

export const request = (...spans: readonly object[]) => requestFrom({ "service.name": "shop" }, ...spans);

export function requestFrom(resource: Readonly<Record<string, string>>, ...spans: readonly object[]) {
  const scopeSpans = [{ scope: { name: "invented" }, spans }];
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] };
}

/** One request a line. */
export const jsonLines = (...requests: readonly object[]) =>
  requests.map((one) => `${JSON.stringify(one)}\n`).join("");

const says = (role: string, text: string) =>
  JSON.stringify([{ role, parts: [{ type: "text", content: text }] }]);

export const agent = (facts: Partial<InventedSpan> & { readonly from: number }) =>
  span({
    id: 1,
    name: "invoke_agent helper",
    ...facts,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "helper",
      ...facts.attributes,
    },
  });

export const call = (facts: Partial<InventedSpan> & { readonly id: number; readonly from: number }) =>
  span({
    parent: 1,
    name: "chat m",
    ...facts,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.usage.input_tokens": 50,
      "gen_ai.usage.output_tokens": 9,
      "gen_ai.input.messages": says("user", "Hi."),
      "gen_ai.output.messages": says("assistant", "Hello."),
      ...facts.attributes,
    },
  });

export const tool = (facts: Partial<InventedSpan> & { readonly id: number; readonly from: number }) =>
  span({
    parent: 1,
    name: "execute_tool look",
    ...facts,
    attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look", ...facts.attributes },
  });
