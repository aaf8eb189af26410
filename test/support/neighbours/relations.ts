import { DEEP_ATTRIBUTES, deepRequest } from "../../otlp/support/deep-spans.js";
import type { FileFormat } from "./file-format.js";
import { type Lines, sound } from "./plant.js";
import { ORCHESTRATION, TRACE } from "./recorded.js";
import { changed, type HostileRelation, moved, relation, text } from "./relation.js";
import { CLAUDE_CODE, CODEX, GEMINI_CLI } from "./transcript-relations.js";

/** For formats with a session in the folder of its tenant. */
const OF_PATHS: readonly HostileRelation[] = [
  relation("the same session of another tenant", "ids are taken for those of one session", (format, good) =>
    moved(good, format.good.tenantId, "thief"),
  ),
  relation(
    "records that say that they are of another session",
    "sessions are found by their records",
    (format, good) => moved(good, format.good.sessionId, "thief"),
  ),
];

const DATA_DIRECTORY: readonly HostileRelation[] = [
  relation("agents that spawned each other", "parents are followed to the first one", (format) => {
    const lines = sound(format.session("shop", "circle", text));
    const agents = ["a", "b", "c"].map((id, i, all) => ({
      eventId: id,
      type: "agent_spawned",
      agent: { id, parentAgentId: all[(i + 1) % all.length] },
    }));
    const own = [{ eventId: "s", type: "agent_spawned", agent: { id: "s", parentAgentId: "s" } }];
    const file = Object.keys(lines).find((name) => name.endsWith(ORCHESTRATION))!;
    return { ...lines, [file]: [...lines[file]!, ...[...agents, ...own].map((one) => JSON.stringify(one))] };
  }),
  relation("events of agents that contain each other", "agents are nested", (format) =>
    changed(
      sound(format.session("shop", "nest", text)),
      (record, i) => ({
        ...record,
        event: { ...(record.event as object), agentId: `n${i % 3}`, parentAgentId: `n${(i + 1) % 3}` },
      }),
      TRACE,
    ),
  ),
  relation("envelopes with one id and one sequence", "steps are known by them", (format) =>
    changed(
      sound(format.session("shop", "same", text)),
      (record) => ({ ...record, id: "e", sequence: 0 }),
      TRACE,
    ),
  ),
];

type Span = Record<string, unknown> & { parentSpanId?: string; spanId: string };

function spans(lines: Lines, change: (span: Span, i: number) => object, service?: string): Lines {
  return changed(lines, (record, i) => {
    const { resourceSpans } = JSON.parse(JSON.stringify(record)) as {
      resourceSpans: { resource: { attributes: { value: object }[] }; scopeSpans: { spans: Span[] }[] }[];
    };
    for (const { resource, scopeSpans } of resourceSpans) {
      if (service !== undefined) resource.attributes[0]!.value = { stringValue: service };
      for (const scope of scopeSpans) scope.spans = scope.spans.map((span) => change(span, i) as Span);
    }
    return { resourceSpans };
  });
}

const renamed = (lines: Lines, name: string) =>
  Object.fromEntries(Object.values(lines).map((records) => [name, records]));

const LATER = { endTimeUnixNano: "1893456000000000000" };

const OTLP: readonly HostileRelation[] = [
  relation("spans that are each other's parents", "parents are followed to the first one", (format) =>
    spans(sound(format.session("shop", "circle", text)), (span, i) => ({
      ...span,
      spanId: String((i % 4) + 1).padStart(16, "0"),
      parentSpanId: String(((i + 1) % 4) + 1).padStart(16, "0"),
    })),
  ),
  relation("spans that are their own parents", "parents are followed to the first one", (format) =>
    spans(sound(format.session("shop", "itself", text)), (span) => ({ ...span, parentSpanId: span.spanId })),
  ),
  ...["0.jsonl", "zz.jsonl"].map((file) =>
    relation(
      `the good one's spans of another tenant, in ${file}`,
      "what is sent again counts once",
      (_: FileFormat, good: Lines) =>
        renamed(
          spans(good, (span) => ({ ...span, ...LATER, name: "stolen" }), "thief"),
          file,
        ),
    ),
  ),
  relation(
    "spans of another tenant below the good one's",
    "spans belong where their parents are",
    (_, good) =>
      renamed(
        spans(
          good,
          (span) => ({
            ...span,
            spanId: `f${span.spanId.slice(1)}`,
            parentSpanId: span.spanId,
            attributes: [],
          }),
          "child",
        ),
        "below.jsonl",
      ),
  ),
];

const DEEP_SPANS = DEEP_ATTRIBUTES.map(([kind, attributes], i) =>
  relation(
    `attributes that are nested deep: ${kind}`,
    "functions that call themselves for each level",
    () => ({
      [`deep-${i}.jsonl`]: [deepRequest(900 + i, attributes)],
    }),
  ),
);

export const HOSTILE_RELATIONS: Readonly<Record<string, readonly HostileRelation[]>> = {
  "a data directory": [...OF_PATHS, ...DATA_DIRECTORY],
  "Claude Code": [...OF_PATHS, ...CLAUDE_CODE],
  Codex: CODEX,
  "Gemini CLI": [OF_PATHS[0]!, ...GEMINI_CLI],
  "files of OTLP": [...OTLP, ...DEEP_SPANS],
};
