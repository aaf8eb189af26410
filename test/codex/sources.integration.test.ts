import { readdirSync, statSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { listSources } from "../support/list-sources.js";
import { HAS_SHARED_DATA, SHARED_DATA, WITHOUT_SHARED_DATA } from "../support/shared-data.js";
import { inTurn } from "../support/shared-histories.js";
import {
  at,
  completed,
  event,
  item,
  lines,
  meta,
  newHome,
  openHome,
  rolloutOf,
  said,
  started,
  TENANT,
} from "./support/homes.js";
import { allHomes } from "./support/real-homes.js";

const jsonLines = (...records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

async function reportIn(home: string) {
  const { sources } = await listSources(openHome(home));
  expect(sources.length).toBe(1);
  return sources[0]!;
}

it("has the versions that wrote threads, and what of them is not known", async () => {
  const records = [
    meta("t1"),
    started("a"),
    said("user", "Count."),
    said("assistant", "Done."),
    item("ghost_snapshot"),
    item("telepathy"),
    event("token_count", { info: null }),
    event("applause"),
    event("item_completed", { item: { type: "Plan", id: "p" } }),
    event("item_completed", { item: { type: "Dance", id: "d" } }),
    ["world_state", {}],
    ["weather", {}],
    completed("a"),
  ] as const;
  const home = await newHome({
    [rolloutOf("t1")]: lines(records),
    [rolloutOf("t2")]: lines([meta("t2", { cli_version: "9.1.0" }), said("user", "Count.")]),
  });
  const report = await reportIn(home);
  expect(report).toMatchObject({ name: "Codex", format: "codex", sessions: 2, files: 2, isComplete: true });
  expect(report.versions).toEqual([
    { version: "9.1.0", sessions: 1, isNewer: true },
    { version: "0.144.0", sessions: 1, isNewer: false },
  ]);
  expect(report.unknownRecords.map(({ type, records: count }) => [type, count]).sort()).toEqual([
    ["event_msg/applause", 1],
    ["event_msg/item_completed/Dance", 1],
    ["response_item/telepathy", 1],
    ["weather", 1],
  ]);
  expect(report.unknownRecords[0]!.example).toEqual({ tenantId: TENANT, sessionId: "t1" });
});

it("deletes nothing, and names threads that are gone in two files: each once, and none that is a sub-agent's", async () => {
  const spawn = { subagent: { thread_spawn: { parent_thread_id: "t1", depth: 1 } } };
  const home = await newHome({
    [rolloutOf("t1")]: lines([meta("t1"), said("user", "Count.")]),
    [rolloutOf("child", undefined, "10-00-01")]: lines([
      meta("child", { source: spawn }),
      said("user", "Go."),
    ]),
    "session_index.jsonl": jsonLines(
      { id: "t1", thread_name: "Here", updated_at: at(0) },
      { id: "child", thread_name: "A sub-agent", updated_at: at(0) },
      { id: "gone", thread_name: "Sum function", updated_at: at(1) },
    ),
    "history.jsonl": jsonLines(
      { session_id: "gone", ts: Date.parse(at(0)) / 1_000, text: "Write a sum function." },
      { session_id: "typed", ts: Date.parse(at(2)) / 1_000, text: "Hello" },
    ),
  });
  const report = await reportIn(home);
  expect(report.retention).toEqual({ rule: "keeps" });
  expect(report.gone).toEqual([
    { sessionId: "typed", title: "Hello", lastActive: at(2), namedIn: "history.jsonl" },
    { sessionId: "gone", title: "Sum function", lastActive: at(1), namedIn: "session_index.jsonl" },
  ]);
});

it.skipIf(!HAS_SHARED_DATA)(
  `names threads that a real database knows and whose rollouts are gone${WITHOUT_SHARED_DATA}`,
  async () => {
    const home = await newHome();
    await cp(path.join(SHARED_DATA, "codex/run-0.169.0-code-mode"), home, { recursive: true });
    expect((await reportIn(home)).gone).toEqual([]);
    await rm(path.join(home, "archived_sessions"), { recursive: true });
    expect((await reportIn(home)).gone).toEqual([
      {
        sessionId: "01a20e38-566b-7850-822f-2021001f367b",
        tenantId: "-srv-demo-app",
        title: "Demo: sum function",
        directory: "/srv/demo/app",
        lastActive: "2026-11-24T15:41:43.079Z",
        namedIn: "state_5.sqlite",
      },
    ]);
  },
);

it("passes over a database that is none, and says so", async () => {
  const home = await newHome({
    [rolloutOf("t1")]: lines([meta("t1"), said("user", "Count.")]),
    "state_9.sqlite": "no database",
    "session_index.jsonl": jsonLines({ id: "gone", thread_name: "Sum", updated_at: at(1) }),
  });
  const report = await reportIn(home);
  expect(report).toMatchObject({ sessions: 1, goneCount: 1 });
  expect(report.problems).toMatchObject([{ file: "state_9.sqlite", reason: expect.any(String) }]);
  expect(JSON.stringify(report.problems)).not.toContain(home);
});

it.each(inTurn(allHomes(), ({ folder }) => folder))(
  "count each rollout once, also where threads continue it: $name",
  async ({ folder: home }) => {
    const rollouts = readdirSync(home, { recursive: true, encoding: "utf8" })
      .filter((file) => /(^|\/)rollout-.*\.jsonl$/.test(file))
      .map((file) => statSync(path.join(home, file)).size);
    const { files, bytes } = await reportIn(home);
    expect([files, bytes]).toEqual([rollouts.length, rollouts.reduce((sum, size) => sum + size, 0)]);
  },
);
