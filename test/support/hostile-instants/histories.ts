import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { openHistories } from "../../../src/histories.js";
import type { InspectorDataSource, JsonObject } from "../../../src/index.js";
import * as atif from "../../atif/support/histories.js";
import * as copilot from "../../copilot-cli/support/homes.js";
import * as inspect from "../../inspect/support/logs.js";
import * as opencode from "../../opencode/support/databases.js";
import * as pi from "../../pi/support/sessions.js";
import * as qwen from "../../qwen-code/support/homes.js";
import { FILE_FORMATS } from "../neighbours/formats.js";
import { sound } from "../neighbours/plant.js";
import { recordedSession } from "../neighbours/recorded.js";
import type { RecordedSession } from "../neighbours/recorded-sources.js";
import { withInstants } from "./instants.js";

export interface PlannedSession {
  readonly id: string;
  /** In its messages, and in those of no other session. */
  readonly text: string;
  /** Default: plausible instants. */
  readonly instant?: { readonly value: unknown; readonly every: number };
}

export interface InstantHistory {
  readonly name: string;
  write(root: string, sessions: readonly PlannedSession[]): Promise<void>;
  open(root: string): Promise<InspectorDataSource>;
}

/** By file. A file without lines is one record. */
type Records = Readonly<Record<string, readonly unknown[]>>;

const recordsOf = (lines: string) =>
  lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

async function writeRecords(root: string, records: Records): Promise<void> {
  for (const [name, all] of Object.entries(records)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, all.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
}

export function planned<T>(records: T, { instant }: PlannedSession): T {
  return instant === undefined ? records : withInstants(records, instant.value, instant.every);
}

function inFiles(recordsOfSession: (session: PlannedSession) => Records): InstantHistory["write"] {
  return async (root, sessions) => {
    for (const session of sessions) await writeRecords(root, planned(recordsOfSession(session), session));
  };
}

export function plannedRecords(session: PlannedSession): RecordedSession {
  const lines = sound(recordedSession("shop", session.id, session.text));
  const records = Object.entries(lines).map(([file, texts]) => [
    file,
    texts.map((text) => JSON.parse(text) as unknown),
  ]);
  const own = Object.entries(planned(Object.fromEntries(records) as Records, session));
  return {
    name: session.id,
    tenantId: "shop",
    sessionId: session.id,
    lines: Object.fromEntries(own.map(([file, all]) => [file, all.map((record) => JSON.stringify(record))])),
  };
}

const START = Date.UTC(2026, 4, 1, 9);
const at = (second: number) => START + second * 1_000;
const iso = (second: number) => new Date(at(second)).toISOString();

function copilotSession({ id, text }: PlannedSession): Records {
  const { happens, started, prompted, answered, asking, begun, ended, lines } = copilot;
  const session = lines(
    started(id),
    prompted(1, `Where is the ${text}?`),
    answered(4, "a", "I look.", asking("t", "view", { path: "a.ts" })),
    begun(5, "t", "view", { path: "a.ts" }),
    ended(6, "t", `no ${text}`, { success: false }),
    answered(9, "b", `The ${text} is not there.`),
    happens(10, "session.compaction_start"),
  );
  return { [copilot.eventsOf(id)]: recordsOf(session) };
}

function piSession({ id, text }: PlannedSession): Records {
  const { user, called, result, said } = pi;
  const entries = [
    pi.header(id),
    user("1", null, 1, `Where is the ${text}?`),
    called("2", "1", 3, "t"),
    result("3", "2", 5, "t", `no ${text}`, { isError: true }),
    said("4", "3", 8, `The ${text} is not there.`),
    pi.entry("compaction", "5", "4", 9, { summary: "All", firstKeptEntryId: "4", tokensBefore: 500 }),
  ];
  return { [pi.fileOf(id)]: entries };
}

function openClawSession(session: PlannedSession): Records {
  const [entries = []] = Object.values(piSession(session));
  return { "main/sessions/sessions.json": [{}], [`main/sessions/${session.id}.jsonl`]: entries };
}

function qwenSession({ id, text }: PlannedSession): Records {
  const records = [
    qwen.user("1", 1, `Where is the ${text}?`),
    qwen.answer("2", 3, [qwen.call("t")], 2),
    qwen.response("3", 3, 2),
    qwen.result("4", 5, "t", { output: `no ${text}` }),
    qwen.answer("5", 8, [{ text: `The ${text} is not there.` }], 3),
    qwen.response("6", 8, 3),
  ];
  const chat = recordsOf(qwen.chain(...(records as JsonObject[]))) as JsonObject[];
  return { [`projects/-srv-shop/chats/${id}.jsonl`]: chat.map((record) => ({ ...record, sessionId: id })) };
}

function droidSession({ id, text }: PlannedSession): Records {
  const message = (n: number, role: string, content: readonly object[]) => ({
    ...{ type: "message", id: `m${n}`, parentId: n === 1 ? id : `m${n - 1}`, timestamp: iso(n) },
    message: { role, content },
  });
  const call = { type: "tool_use", id: "t", name: "Execute", input: { command: "ls" } };
  const records = [
    { type: "session_start", id, title: text, cwd: "/srv/shop", version: "0.81.0" },
    message(1, "user", [{ type: "text", text: `Where is the ${text}?` }]),
    message(2, "assistant", [call]),
    message(3, "user", [{ type: "tool_result", tool_use_id: "t", content: `Error: no ${text}` }]),
    message(4, "assistant", [{ type: "text", text: `The ${text} is not there.` }]),
  ];
  return { [`-srv-shop/${id}.jsonl`]: records };
}

function antigravitySession({ id, text }: PlannedSession): Records {
  const step = (step_index: number, source: string, type: string, more: object) => ({
    ...{ step_index, source, type, status: "DONE", created_at: iso(step_index) },
    ...more,
  });
  const records = [
    step(0, "USER_EXPLICIT", "USER_INPUT", {
      content: `<USER_REQUEST>\nWhere is the ${text}?\n</USER_REQUEST>`,
    }),
    step(1, "MODEL", "PLANNER_RESPONSE", { tool_calls: [{ name: "list_dir", args: {} }] }),
    step(2, "MODEL", "LIST_DIRECTORY", { content: `no ${text}` }),
    step(3, "MODEL", "PLANNER_RESPONSE", { content: `The ${text} is not there.` }),
  ];
  return { [`brain/${id}/log.jsonl`]: records };
}

function clineSession({ id, text }: PlannedSession): Records {
  const said = (second: number, role: string, content: readonly object[]) => ({
    role,
    content,
    ts: at(second),
  });
  const call = { type: "tool_use", id: "t", name: "read_file", input: { path: "a.ts" } };
  const conversation = [
    said(1, "user", [{ type: "text", text: `<task>Where is the ${text}?</task>` }]),
    said(2, "assistant", [call]),
    said(3, "user", [{ type: "tool_result", tool_use_id: "t", content: `no ${text}` }]),
    said(4, "assistant", [{ type: "text", text: `The ${text} is not there.` }]),
  ];
  return { [`tasks/${id}/api_conversation_history.json`]: [conversation] };
}

function kimiSession({ id, text }: PlannedSession): Records {
  const texts = (said: string) => [{ type: "text", text: said }];
  const record = (second: number, type: string, more: object) => ({ type, ...more, time: at(second) });
  const event = (second: number, type: string, more: object) =>
    record(second, "context.append_loop_event", { event: { type, ...more } });
  const usage = { inputOther: 10, inputCacheRead: 80, inputCacheCreation: 5, output: 5 };
  const origin = { kind: "user" };
  const asked = texts(`Where is the ${text}?`);
  const records = [
    { type: "metadata", protocol_version: "1.4", created_at: at(0) },
    record(1, "turn.prompt", { input: asked, origin }),
    record(1, "context.append_message", { message: { role: "user", content: asked, toolCalls: [], origin } }),
    event(2, "step.begin", { uuid: "s" }),
    record(2, "llm.request", { kind: "loop", model: "kimi-x" }),
    event(4, "content.part", { stepUuid: "s", part: { type: "text", text: `The ${text} is not there.` } }),
    event(5, "step.end", { uuid: "s", finishReason: "end_turn", usage }),
  ];
  return { [`sessions/wd_shop_1/session_${id}/agents/main/wire.jsonl`]: records };
}

function atifSession({ id, text }: PlannedSession): Records {
  const steps = [
    atif.user(1, `Where is the ${text}?`),
    atif.agent(2, "I look.", {
      tool_calls: [atif.call("t")],
      observation: { results: [atif.result("t", `no ${text}`)] },
    }),
    atif.agent(3, `The ${text} is not there.`),
  ];
  return { [`${id}/agent/trajectory.json`]: [atif.trajectory(id, steps)] };
}

function inspectSample({ id, text }: PlannedSession): object {
  const { user, assistant, model, tool, sample } = inspect;
  const asked = user(`Where is the ${text}?`);
  const calls = assistant("I look.", { tool_calls: [{ id: "t", function: "ls", arguments: {} }] });
  const result = { role: "tool", content: `no ${text}`, tool_call_id: "t" };
  const events = [
    model(1, [asked], calls),
    tool(4, "t", `no ${text}`, { function: "ls" }),
    model(6, [asked, calls, result], assistant(`The ${text} is not there.`)),
  ];
  return sample(id, events, { started_at: inspect.at(0), completed_at: inspect.at(9) });
}

const inspectLog = (session: PlannedSession): Records => ({
  [`${session.id}.json`]: [{ ...inspect.about(), samples: [inspectSample(session)] }],
});

async function writeInspectArchives(root: string, sessions: readonly PlannedSession[]): Promise<void> {
  for (const session of sessions) {
    const sample = planned(inspectSample(session), session);
    await writeFile(path.join(root, `${session.id}.eval`), inspect.log([sample]));
  }
}

function openCodeFiles({ id, text }: PlannedSession): Records {
  const session = `ses_${id}`;
  const [asked, answered] = [`msg_1${id}`, `msg_2${id}`];
  const tokens = { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } };
  const own = { id: session, directory: "/srv/shop", title: text, version: "1.0.0" };
  const answer = { role: "assistant", modelID: "m", providerID: "v", cost: 0.01, tokens, finish: "stop" };
  return {
    [`storage/session/p/${session}.json`]: [{ ...own, time: { created: at(0), updated: at(9) } }],
    [`storage/message/${session}/${asked}.json`]: [{ id: asked, role: "user", time: { created: at(1) } }],
    [`storage/part/${asked}/prt_1.json`]: [opencode.text(`Where is the ${text}?`)],
    [`storage/message/${session}/${answered}.json`]: [
      { id: answered, ...answer, time: { created: at(2), completed: at(8) } },
    ],
    [`storage/part/${answered}/prt_2.json`]: [opencode.tool("t", 3)],
    [`storage/part/${answered}/prt_3.json`]: [opencode.text(`The ${text} is not there.`)],
  };
}

/** SQLite holds numbers and texts. */
const column = (value: unknown) =>
  typeof value === "number" || typeof value === "string" || value === null ? value : JSON.stringify(value);

async function writeOpenCodeDatabase(root: string, sessions: readonly PlannedSession[]): Promise<void> {
  const written = new opencode.HistoryDatabase(path.join(root, "opencode.db"));
  const { database } = written;
  for (const session of sessions) {
    const { id, text, instant } = session;
    written.session(id, { title: text });
    written.prompt(id, 1, `Where is the ${text}?`);
    written.answer(id, 2, [opencode.tool("t", 3), opencode.text(`The ${text} is not there.`)]);
    for (const table of instant === undefined ? [] : ["message", "part"]) {
      for (const row of database.all(`SELECT id, data FROM ${table} WHERE session_id = ?`, [id])) {
        const data = JSON.stringify(planned(JSON.parse(String(row.data)) as unknown, session));
        const times = [column(instant!.value) ?? 0, column(instant!.value) ?? 0];
        const sql = `UPDATE ${table} SET data = ?, time_created = ?, time_updated = ? WHERE id = ?`;
        database.run(sql, [data, ...times, String(row.id)]);
      }
    }
    if (instant === undefined) continue;
    const times = [column(instant.value) ?? 0, column(instant.value) ?? 0];
    database.run("UPDATE session SET time_created = ?, time_updated = ? WHERE id = ?", [...times, id]);
  }
  written.close();
}

const openAs = (name: string) => (root: string) => openHistories(name, root, { threads: false });

const NEIGHBOURS: readonly InstantHistory[] = FILE_FORMATS.map(({ name, session, good, open }) => ({
  name,
  write: inFiles(({ id, text }) => {
    const files = Object.entries(sound(session(good.tenantId, id, text)));
    return Object.fromEntries(
      files.map(([file, lines]) => [file, lines.map((line) => JSON.parse(line) as unknown)]),
    );
  }),
  open: async (root) => open(root),
}));

export const INSTANT_HISTORIES: readonly InstantHistory[] = [
  ...NEIGHBOURS,
  { name: "Copilot CLI", write: inFiles(copilotSession), open: openAs("copilot-cli") },
  { name: "Pi", write: inFiles(piSession), open: openAs("pi") },
  { name: "OpenClaw", write: inFiles(openClawSession), open: openAs("openclaw") },
  { name: "Qwen Code", write: inFiles(qwenSession), open: openAs("qwen-code") },
  { name: "OpenCode, in a database", write: writeOpenCodeDatabase, open: openAs("opencode") },
  { name: "OpenCode, in files", write: inFiles(openCodeFiles), open: openAs("opencode") },
  { name: "Droid", write: inFiles(droidSession), open: openAs("droid") },
  { name: "Antigravity", write: inFiles(antigravitySession), open: openAs("antigravity") },
  { name: "Cline", write: inFiles(clineSession), open: openAs("cline") },
  { name: "Kimi Code", write: inFiles(kimiSession), open: openAs("kimi") },
  { name: "ATIF", write: inFiles(atifSession), open: openAs("atif") },
  { name: "Inspect, as JSON", write: inFiles(inspectLog), open: openAs("inspect") },
  { name: "Inspect, in archives", write: writeInspectArchives, open: openAs("inspect") },
];
