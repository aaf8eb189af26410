import * as codex from "../../codex/support/homes.js";
import * as gemini from "../../gemini-cli/support/homes.js";
import type { FileFormat } from "./formats.js";
import { type Lines, sound } from "./plant.js";
import { ORCHESTRATION, TRACE } from "./recorded.js";

/** A session whose records lead in a circle, or claim to be of another one. */
export interface HostileRelation {
  readonly name: string;
  /** What it tries to break. */
  readonly reason: string;
  /** @param good the good session's files */
  files(format: FileFormat, good: Lines): Lines;
}

function relation(name: string, reason: string, files: HostileRelation["files"]): HostileRelation {
  return { name, reason, files };
}

const text = "pebble";

/** The files under other paths. */
function moved(lines: Lines, from: string, to: string): Lines {
  return Object.fromEntries(
    Object.entries(lines).map(([file, records]) => [file.replaceAll(from, to), records]),
  );
}

/** Each record changed. */
function changed(
  lines: Lines,
  change: (record: Record<string, unknown>, i: number) => object,
  file = "",
): Lines {
  const all = Object.entries(lines).map(([name, records]) => {
    const own = records.map((record) => JSON.parse(record) as Record<string, unknown>);
    return [
      name,
      name.includes(file) ? own.map((one, i) => JSON.stringify(change(one, i))) : records,
    ] as const;
  });
  return Object.fromEntries(all);
}

/** For all whose sessions lie in the folder of their tenant. */
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

const CLAUDE_CODE: readonly HostileRelation[] = [
  relation("records that follow each other", "chains of records are followed", (format) =>
    changed(sound(format.session("shop", "circle", text)), (record, i) => ({
      ...record,
      uuid: `u${i % 5}`,
      parentUuid: `u${(i + 1) % 5}`,
      logicalParentUuid: `u${(i + 2) % 5}`,
    })),
  ),
  relation("a record that follows itself", "chains of records are followed", (format) =>
    changed(sound(format.session("shop", "itself", text)), (record) => ({
      ...record,
      parentUuid: record.uuid,
    })),
  ),
  relation("a fork of itself", "originals are looked for", (format) =>
    changed(sound(format.session("shop", "fork", text)), (record) => ({
      ...record,
      forkedFrom: { sessionId: "fork" },
    })),
  ),
  ...["a", "b"].map((own, i, all) =>
    relation(`a fork of a fork of itself, ${own}`, "originals are looked for", (format: FileFormat) =>
      changed(sound(format.session("shop", own, text)), (record) => ({
        ...record,
        uuid: `shared-${String(record.uuid).slice(2)}`,
        forkedFrom: { sessionId: all[1 - i] },
      })),
    ),
  ),
  relation("a fork of the good one", "its records are another one's", (format, good) =>
    changed(moved(good, format.good.sessionId, "branch"), (record) => ({
      ...record,
      sessionId: "branch",
      forkedFrom: { sessionId: format.good.sessionId, messageUuid: record.uuid },
    })),
  ),
  relation("a compaction of the good one's records", "originals are looked for", (format, good) =>
    changed(moved(good, format.good.sessionId, "compacted"), (record, i) =>
      i === 0
        ? {
            ...record,
            sessionId: "compacted",
            uuid: "00000000-0000-4000-8000-00000000000c",
            parentUuid: null,
            logicalParentUuid: `${format.good.sessionId}-9-00000000`,
          }
        : { ...record, sessionId: "compacted" },
    ),
  ),
  relation("sub-agents that spawned each other", "parents are followed to the first one", (format) => {
    const lines = sound(format.session("shop", "spawned", text));
    const main = "shop/spawned.jsonl";
    const agents = ["x", "y"].map((id, i, all) => [
      `shop/spawned/subagents/agent-${id}.jsonl`,
      changed({ [main]: lines[main]! }, (record) => ({
        ...record,
        isSidechain: true,
        agentId: id,
        ...(record.toolUseResult === undefined ? {} : { toolUseResult: { agentId: all[1 - i] } }),
      }))[main]!,
    ]);
    return { ...lines, ...Object.fromEntries(agents) };
  }),
];

const rollout = (id: string, more: object) => ({
  [codex.rolloutOf(id)]: codex
    .lines([codex.meta(id, more), ...codex.prompted(`Where is the ${text}?`), codex.counted(9, 6, 1)])
    .trimEnd()
    .split("\n"),
});

const CODEX: readonly HostileRelation[] = [
  relation("threads that spawned each other", "parents are followed to the first one", () => ({
    ...rollout("circle-a", { parent_thread_id: "circle-b" }),
    ...rollout("circle-b", { parent_thread_id: "circle-c" }),
    ...rollout("circle-c", { parent_thread_id: "circle-a" }),
  })),
  relation("a thread that spawned itself", "parents are followed to the first one", () =>
    rollout("itself", { parent_thread_id: "itself", forked_from_id: "itself" }),
  ),
  relation("forks of each other", "originals are looked for", () => ({
    ...rollout("fork-a", { forked_from_id: "fork-b" }),
    ...rollout("fork-b", { forked_from_id: "fork-a" }),
  })),
  relation("parts of threads that go on from each other", "the parts before are read", () => ({
    ...rollout("part-a", { history_base: { thread_id: "part-b", end_byte_offset: Number.MAX_VALUE } }),
    ...rollout("part-b", { history_base: { thread_id: "part-a", end_byte_offset: -1 } }),
    ...rollout("part-c", { history_base: { thread_id: "part-c", end_byte_offset: 5 } }),
  })),
  relation("a fork of the good one", "its records are another one's", (format, good) => ({
    [codex.rolloutOf("branch")]: [
      rollout("branch", { forked_from_id: format.good.sessionId })[codex.rolloutOf("branch")]![0]!,
      ...good[codex.rolloutOf(format.good.sessionId)]!,
    ],
  })),
  relation("a thread that says that it is the good one", "threads are found by their records", (format) => ({
    [codex.rolloutOf("thief", "2026/06/01")]: rollout(format.good.sessionId, { cwd: "/thief" })[
      codex.rolloutOf(format.good.sessionId)
    ]!,
    [codex.rolloutOf("thief", "2026/08/01")]: rollout(format.good.sessionId, {})[
      codex.rolloutOf(format.good.sessionId)
    ]!,
  })),
  relation("names of threads that are none", "names are looked up", () => ({
    "session_index.jsonl": ["__proto__", "constructor", 5, null, {}, ["x"]].map((id) =>
      JSON.stringify({ id, thread_name: id, updated_at: "9999-12-31" }),
    ),
  })),
];

const GEMINI_CLI: readonly HostileRelation[] = [
  relation("another file with the good one's id", "sessions are found by their records", (format) => ({
    [`tmp/${format.good.tenantId}/chats/session-0.jsonl`]: [
      JSON.stringify(gemini.header(format.good.sessionId)),
    ],
    [`tmp/${format.good.tenantId}/chats/session-zz.jsonl`]: [
      JSON.stringify(gemini.header(format.good.sessionId)),
    ],
  })),
  relation("messages that are taken back again and again", "messages are searched", (format) => {
    const lines = sound(format.session("shop", "rewound", text));
    const file = Object.keys(lines)[0]!;
    const back = Array.from({ length: 500 }, (_, i) =>
      JSON.stringify({ $rewindTo: `u${String(i % 2).padStart(8, "0")}` }),
    );
    return { ...lines, [file]: lines[file]!.flatMap((record) => [record, ...back.slice(0, 50)]) };
  }),
  relation("messages that replace all messages", "records lie in records", (format) => {
    const lines = sound(format.session("shop", "replaced", text));
    const [file] = Object.keys(lines) as [string];
    const messages = lines[file]!.slice(1).map((record) => JSON.parse(record) as object);
    const nested = { $set: { messages: [...messages, { $set: { messages } }, null, 5, [messages]] } };
    return {
      ...lines,
      [file]: [...lines[file]!, ...Array.from({ length: 50 }, () => JSON.stringify(nested))],
    };
  }),
  relation("places of projects that are none", "folders are named by them", (format) => ({
    "projects.json": [
      JSON.stringify({
        projects: { "/": format.good.tenantId === "" ? 1 : "__proto__", "": "x", "/thief": 5, "/a/../b": {} },
      }),
    ],
    "tmp/constructor/.project_root": ["not a path"],
  })),
];

type Span = Record<string, unknown> & { parentSpanId?: string; spanId: string };

/** Each span of files of OTLP changed. */
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

/** Those that each format's records can have, by its name. */
export const HOSTILE_RELATIONS: Readonly<Record<string, readonly HostileRelation[]>> = {
  "a data directory": [...OF_PATHS, ...DATA_DIRECTORY],
  "Claude Code": [...OF_PATHS, ...CLAUDE_CODE],
  Codex: CODEX,
  "Gemini CLI": [OF_PATHS[0]!, ...GEMINI_CLI],
  "files of OTLP": OTLP,
};
