import { describe, expect, it } from "vitest";
import { CUT_OFF } from "../../domain/json/json.js";
import { requestSpans } from "./request-spans.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");

const request = (span: object, scope: object = { scope: { name: "ai" } }) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
      scopeSpans: [{ ...scope, spans: [span] }],
    },
  ],
});

describe("the spans of a request", () => {
  it("are read as the standard writes them", () => {
    const span = {
      traceId: TRACE,
      spanId: SPAN,
      parentSpanId: "",
      name: "chat",
      startTimeUnixNano: "1700000000123456789",
      endTimeUnixNano: "1700000001000000000",
      status: { code: 2, message: "late" },
      attributes: [
        { key: "s", value: { stringValue: "x" } },
        { key: "i", value: { intValue: "12" } },
        { key: "huge", value: { intValue: "9223372036854775807" } },
        { key: "d", value: { doubleValue: 0.5 } },
        { key: "b", value: { boolValue: false } },
        { key: "a", value: { arrayValue: { values: [{ stringValue: "y" }, { intValue: 3 }] } } },
        { key: "k", value: { kvlistValue: { values: [{ key: "z", value: { boolValue: true } }] } } },
        { key: "none", value: {} },
        { key: "empty", value: { arrayValue: {} } },
      ],
      events: [{ name: "exception", timeUnixNano: "1700000000500000000", attributes: [] }],
    };
    expect(requestSpans(request(span))).toEqual([
      {
        traceId: TRACE,
        spanId: SPAN,
        parentSpanId: undefined,
        name: "chat",
        startedAt: 1_700_000_000_123.456_8,
        endedAt: 1_700_000_001_000,
        status: "error",
        statusMessage: "late",
        attributes: {
          s: "x",
          i: 12,
          huge: "9223372036854775807",
          d: 0.5,
          b: false,
          a: ["y", 3],
          k: { z: true },
          none: null,
          empty: [],
        },
        events: [{ name: "exception", at: 1_700_000_000_500, attributes: {} }],
        resource: { "service.name": "shop" },
        scope: "ai",
      },
    ]);
  });

  it.each(["11651379494838206464", "18446744073709551615", "-1", "1e300", 0.5, {}, true, ""])(
    "begin and end at the other instant where one is %s",
    (odd) => {
      const at = "1700000000000000000";
      const span = { traceId: TRACE, spanId: SPAN, name: "chat" };
      const states = [
        { ...span, startTimeUnixNano: odd, endTimeUnixNano: at },
        { ...span, startTimeUnixNano: at, endTimeUnixNano: odd },
      ];
      for (const read of states.flatMap((one) => requestSpans(request(one))))
        expect(read).toMatchObject({
          startedAt: 1_700_000_000_000,
          endedAt: 1_700_000_000_000,
          hasOddInstant: true,
        });
    },
  );

  it("are read in snake case, with ids in base64 and enumerations by name", () => {
    const span = {
      trace_id: base64(TRACE),
      span_id: base64(SPAN),
      parent_span_id: base64("00000000000000ff"),
      name: "chat",
      start_time_unix_nano: 1_700_000_000_000_000_000,
      status: { code: "STATUS_CODE_OK" },
      attributes: [{ key: "s", value: { string_value: "x" } }],
    };
    const body = { resource_spans: [{ scope_spans: [{ scope: { name: "py" }, spans: [span] }] }] };
    expect(requestSpans(body)).toMatchObject([
      {
        traceId: TRACE,
        spanId: SPAN,
        parentSpanId: "00000000000000ff",
        status: "ok",
        attributes: { s: "x" },
        scope: "py",
      },
    ]);
    expect(requestSpans(body)[0]).toMatchObject({ startedAt: 1_700_000_000_000, endedAt: undefined });
  });

  it("are read by the names of before 1.0", () => {
    const span = { traceId: TRACE.toUpperCase(), spanId: SPAN, name: "chat", startTimeUnixNano: "1" };
    const body = {
      resourceSpans: [
        { instrumentationLibrarySpans: [{ instrumentationLibrary: { name: "old" }, spans: [span] }] },
      ],
    };
    expect(requestSpans(body)).toMatchObject([{ traceId: TRACE, scope: "old" }]);
  });

  it("are none without ids, of zeros, and of what is no span", () => {
    for (const span of [
      { name: "x" },
      { traceId: TRACE },
      { traceId: "0".repeat(32), spanId: SPAN },
      5,
      null,
    ])
      expect(requestSpans(request(span as object))).toEqual([]);
    for (const body of [
      {},
      { resourceSpans: {} },
      { resourceSpans: [null, { scopeSpans: 3 }] },
      { resourceMetrics: [] },
    ])
      expect(requestSpans(body)).toEqual([]);
  });

  it.each([
    ["arrays", '{"arrayValue":{"values":[', "]}}"],
    ["lists of keys", '{"kvlistValue":{"values":[{"key":"k","value":', "}]}}"],
    ["what belongs to no number", '{"intValue":[', "]}"],
    ["what is no value", "[", "]"],
  ])("are cut off where %s are nested too deep in them", (_, before, after) => {
    const value = (levels: number) =>
      JSON.parse(`${before.repeat(levels)}{"stringValue":"x"}${after.repeat(levels)}`) as unknown;
    const read = (levels: number) => {
      const attributes = [{ key: "deep", value: value(levels) }];
      return JSON.stringify(
        requestSpans(request({ traceId: TRACE, spanId: SPAN, attributes }))[0]!.attributes,
      );
    };
    expect(read(10_000)).toContain(CUT_OFF);
    expect(read(10)).not.toContain(CUT_OFF);
  });
});
