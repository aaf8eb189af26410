import { expect } from "vitest";
import { createInspectorRoute } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import type { InspectorSessionItem } from "../../src/domain/session/session.js";
import { sessionLabel } from "../../ui/src/views/session/session-label.js";
import {
  called as codexCall,
  lines as codexLines,
  answered as codexResult,
  meta,
  prompted,
  rolloutOf,
  started,
} from "../codex/support/homes.js";
import {
  fileOf,
  header,
  called as piCall,
  lines as piLines,
  result as piResult,
  user as piUser,
} from "../pi/support/sessions.js";
import { type Files, lines } from "./history-files.js";

type Call = readonly [id: string, tool: "Bash" | "Ask", command: string, result?: string];

/** One turn without an end. Each record is a second after the one before it. */
export const STORIES = {
  hang: [
    ["c1", "Bash", "ls", "a b c"],
    ["c2", "Bash", "make test"],
  ],
  loop: Array.from({ length: 4 }, (_, i): Call => [`c${i}`, "Bash", "make", "No rule to make target"]),
  question: [
    ["c1", "Bash", "ls", "a b c"],
    ["c2", "Ask", "Deploy it?"],
  ],
} as const satisfies Readonly<Record<string, readonly Call[]>>;

export type Story = keyof typeof STORIES;

const START = Date.UTC(2026, 2, 1, 10);

export const at = (second: number) => new Date(START + second * 1_000).toISOString();

const callsOf = (story: Story): readonly Call[] => STORIES[story];

export function envelopesOf(story: Story) {
  const events: object[] = [{ type: "turn.start", turnIndex: 0, input: "Go on." }];
  for (const [toolCallId, tool, command, output] of callsOf(story)) {
    const call =
      tool === "Ask"
        ? { toolName: "AskUserQuestion", input: { question: command } }
        : { toolName: "Bash", input: { command } };
    events.push({ type: "tool.start", toolCallId, ...call });
    if (output !== undefined) events.push({ type: "tool.end", toolCallId, output });
  }
  return events.map((event, i) => ({
    ...{ id: `e${i}`, timestamp: at(i), sequence: i, source: "runtime" as const },
    ...{ sessionId: "s1", tenantId: "acme", traceId: "t1", event: event as { type: string } },
  }));
}

export const FILES: Readonly<Record<string, (story: Story) => Files>> = {
  "data-directory": (story) => ({
    "tenants/acme/sessions/s1/session.jsonl": lines({
      type: "init",
      sessionId: "s1",
      tenantId: "acme",
      createdAt: START,
    }),
    "tenants/acme/sessions/s1/trace/events.jsonl": lines(...envelopesOf(story)),
  }),
  "claude-code": (story) => {
    const id = "00000000-0000-4000-8000-000000000001";
    const record = (i: number, type: "user" | "assistant", content: unknown) => ({
      ...{
        type,
        uuid: `u${i}`,
        parentUuid: i === 0 ? null : `u${i - 1}`,
        timestamp: at(i),
        sessionId: id,
        cwd: "/srv/shop",
      },
      message: type === "user" ? { role: type, content } : { role: type, id: `m${i}`, model: "m-1", content },
    });
    const records = [record(0, "user", "Go on.")];
    for (const [call, tool, command, result] of callsOf(story)) {
      const use =
        tool === "Ask"
          ? { name: "AskUserQuestion", input: { questions: [{ question: command }] } }
          : { name: "Bash", input: { command } };
      records.push(record(records.length, "assistant", [{ type: "tool_use", id: call, ...use }]));
      if (result !== undefined)
        records.push(
          record(records.length, "user", [{ type: "tool_result", tool_use_id: call, content: result }]),
        );
    }
    return { [`-srv-shop/${id}.jsonl`]: lines(...records) };
  },
  pi: (story) => {
    const records = [header("s1"), piUser("e0", null, 0, "Go on.")];
    for (const [call, tool, command, result] of callsOf(story)) {
      const [id, parent, second] = [`e${records.length - 1}`, `e${records.length - 2}`, records.length - 1];
      const block = {
        type: "toolCall",
        id: call,
        name: tool === "Ask" ? "question" : "bash",
        arguments: { command, question: command },
      };
      records.push(piCall(id, parent, second, call, { content: [block] }));
      if (result !== undefined) records.push(piResult(`e${second + 1}`, id, second + 1, call, result));
    }
    return { [fileOf("s1")]: piLines(...records) };
  },
  codex: (story) => {
    const calls = callsOf(story).flatMap(([id, tool, command, result]) => [
      tool === "Ask"
        ? codexCall(id, "request_user_input", { questions: [{ question: command }] })
        : codexCall(id, "exec_command", { cmd: command }),
      ...(result === undefined ? [] : [codexResult(id, result)]),
    ]);
    return {
      [rolloutOf("s1")]: codexLines([meta("s1"), started("t1"), ...prompted("Go on.").slice(0, 1), ...calls]),
    };
  },
};

const MINUTE = 60_000;
const DAY = 24 * 60;

type Expected = readonly [minutes: number, state: string, label: RegExp];

const during = (minutes: readonly number[], state: string, label: RegExp): Expected[] =>
  minutes.map((minute) => [minute, state, label]);

/** States by minutes after the newest record, and what the header says. */
const EXPECTED: Readonly<Record<Story, readonly Expected[]>> = {
  hang: [
    ...during([0, 1], "running", /^Running for/),
    ...during([2, 3, 4, 5, 6, 7, 60, DAY], "stalled", /^Stalled for/),
    ...during([DAY + 1], "stopped", /^Stopped 1d ago$/),
  ],
  loop: [
    ...during([0, 1, 2, 3, 4, 5], "looping", /^Looping ×4$/),
    ...during([6, 7, DAY], "stopped", /^Stopped .+ ago$/),
  ],
  question: during([0, 1, 2, 3, 4, 5, 6, 7, DAY, 30 * DAY], "waiting", /^Waiting for/),
};

/** Lists a session again and again, without a change of it, while the clock continues. */
export async function expectStates(
  story: Story,
  open: (now: () => number) => Promise<InspectorDataSource>,
): Promise<void> {
  let now = 0;
  const app = createInspectorRoute(await open(() => now));
  const list = async (query = "") => {
    const answer = await app.request(`/sessions${query}`);
    return ((await answer.json()) as { readonly sessions: readonly InspectorSessionItem[] }).sessions;
  };
  const newest = Date.parse((await list())[0]!.lastActive);
  for (const [minutes, state, label] of EXPECTED[story]) {
    now = newest + minutes * MINUTE;
    const [item] = await list();
    expect([minutes, item?.state?.kind]).toEqual([minutes, state]);
    expect(sessionLabel(item!, now)).toMatch(label);
    expect(await list(`?filter=status:${state}`)).toHaveLength(1);
    expect(await list(`?filter=-status:${state}`)).toHaveLength(0);
  }
}
