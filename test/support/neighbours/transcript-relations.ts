import * as codex from "../../codex/support/homes.js";
import * as gemini from "../../gemini-cli/support/homes.js";
import type { FileFormat } from "./file-format.js";
import { sound } from "./plant.js";
import { changed, type HostileRelation, moved, relation, text } from "./relation.js";

export const CLAUDE_CODE: readonly HostileRelation[] = [
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

export const CODEX: readonly HostileRelation[] = [
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

export const GEMINI_CLI: readonly HostileRelation[] = [
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
