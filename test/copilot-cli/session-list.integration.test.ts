import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { copilotCliFormat } from "../../src/adapters/formats/copilot-cli/copilot-cli-format.js";
import { HISTORY_FORMATS } from "../../src/adapters/formats/registry.js";
import { describeSession } from "../../src/application/recording/describe-session.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { historyPlaces } from "../support/history-places.js";
import { inventedFolder } from "../support/invented/histories.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import {
  answered,
  asking,
  begun,
  eventsOf,
  happens,
  lines,
  newHome,
  openHome,
  prompted,
  started,
} from "./support/homes.js";

const session = (id: string, prompt = "Count.", more: object = {}) =>
  lines(started(id, more as never), prompted(1, prompt), answered(5, `c-${id}`, "Seven."));
const elsewhere = { context: { cwd: "/srv/other shop" } };

async function listed(place: string): Promise<string[]> {
  const items = await openHome(place).listSessions();
  return items.map(({ tenantId, sessionId, title }) => `${tenantId}/${sessionId}: ${title}`).sort();
}

describe("The sessions of a folder of Copilot CLI", () => {
  it("lie in folders, or are files of their own, each once, in the tenant that their project is", async () => {
    const home = await newHome({
      [eventsOf("s1")]: session("s1"),
      [eventsOf("s2")]: session("s2", "Count.", elsewhere),
      "session-state/s3.jsonl": session("s3", "Older."),
      "session-state/s1.jsonl": session("s1", "The older half."),
      "session-state/empty/workspace.yaml": "name: Never begun\n",
      "session-state/s4/events.jsonl": lines(prompted(1, "No beginning.")),
      "session-state/s5/events.jsonl": '{"type":"something"}\n',
      "session-state/s1/files/notes.jsonl": session("s9"),
      "logs/s8.jsonl": session("s8"),
      "config.json": "{}",
    });
    const all = [
      "-home-ada-shop/s1: Count.",
      "-home-ada-shop/s3: Older.",
      "-srv-other-shop/s2: Count.",
      "unknown/s4: No beginning.",
    ];
    expect(await listed(home)).toEqual(all);
    expect(await listed(path.join(home, "session-state"))).toEqual(all);
    expect(await listed(path.join(home, "session-state/s1"))).toEqual(all.slice(0, 1));
  });

  it("wait for a person who is asked something, or for a permission, until it is given", async () => {
    const permissionRequest = {
      kind: "shell",
      toolCallId: "c1",
      fullCommandText: "make",
      intention: "Build",
    };
    const running = [
      ...[started("s1"), prompted(1, "Count.")],
      ...answered(5, "a1", "", asking("c1", "bash")),
      begun(6, "c1", "bash", { command: "make" }),
    ];
    const wanted = [...running, happens(7, "permission.requested", { requestId: "p1", permissionRequest })];
    const given = happens(9, "permission.completed", {
      requestId: "p1",
      toolCallId: "c1",
      result: { kind: "approved" },
    });
    const asked = [...running.slice(0, -1), begun(6, "c1", "ask_user", { question: "Which?" })];
    const home = await newHome({
      [eventsOf("wanted")]: lines(...wanted),
      [eventsOf("given")]: lines(...wanted, given),
      [eventsOf("by-hook")]: lines(
        ...running,
        happens(7, "permission.requested", { requestId: "p1", permissionRequest, resolvedByHook: true }),
      ),
      [eventsOf("asked")]: lines(...asked),
    });
    const items = await openHome(home).listSessions();
    expect(
      Object.fromEntries(items.map(({ sessionId, status, waitingFor }) => [sessionId, [status, waitingFor]])),
    ).toEqual({
      wanted: ["waiting", "Build: make"],
      given: ["idle", undefined],
      "by-hook": ["idle", undefined],
      asked: ["waiting", "Which?"],
    });
    const [key] = items;
    for (const [sessionId, status] of [
      ["wanted", "waiting"],
      ["given", "idle"],
    ] as const) {
      const envelopes = await openHome(home).loadTraceEnvelopes(key!.tenantId, sessionId);
      const inOrder = envelopes.sort((a, b) => a.sequence - b.sequence);
      expect(describeSession({ tenantId: "t", sessionId, log: [], envelopes: inOrder }).status).toBe(status);
    }
  });

  it("are found by their ids alone, also where nothing was listed yet", async () => {
    const home = await newHome({ [eventsOf("s1")]: session("s1"), "session-state/s3.jsonl": session("s3") });
    const source = openHome(home);
    for (const id of ["s1", "s3"])
      expect((await source.openSession!("-home-ada-shop", id))?.revision).toMatch(/\w+/);
    for (const [tenantId, id] of [
      ["-home-ada-shop", "s2"],
      ["other", "s1"],
      ["-home-ada-shop", "../s1"],
      ["-home-ada-shop", ""],
    ] as const)
      expect([id, await source.openSession!(tenantId, id)]).toEqual([id, undefined]);
  });

  it("may be named by themselves", async () => {
    const home = await newHome({
      [eventsOf("s1")]: session("s1"),
      "loose/s3.jsonl": session("s3"),
      "loose/x.jsonl": "{}\n",
    });
    expect(await listed(path.join(home, eventsOf("s1")))).toEqual(["-home-ada-shop/s1: Count."]);
    expect(await listed(path.join(home, "loose/s3.jsonl"))).toEqual(["-home-ada-shop/s3: Count."]);
    const inFile = (name: string) => runToEnd(copilotCliFormat.folder.inFile(home, path.join(home, name)));
    expect(inFile("loose/x.jsonl")).toBeUndefined();
    expect(inFile("loose/absent.jsonl")).toBeUndefined();
  });

  it("have the names that their workspaces have, whichever way these are written", async () => {
    for (const [yaml, title] of [
      ["id: s1\nname: Count the books\nuser_named: true\n", "Count the books"],
      ['name: "Count: \\"all\\""\n', 'Count: "all"'],
      ["name: 'Ada''s books'\n", "Ada's books"],
      ["name: >-\n  Count the\n  books\nbranch: main\n", "Count the books"],
      ["name: Count\n  the books\nbranch: main\n", "Count the books"],
      ["summary: Books\n", "Books"],
      ["name: null\n", "Count."],
      ["name:\nbranch: main\n", "Count."],
      ["cwd: /home\n", "Count."],
      ['name: "broken\n', "Count."],
    ]) {
      const home = await newHome({
        [eventsOf("s1")]: session("s1"),
        "session-state/s1/workspace.yaml": yaml!,
      });
      expect([yaml, await listed(home)]).toEqual([yaml, [`-home-ada-shop/s1: ${title}`]]);
    }
  });

  it("say when their name, their folder and they themselves changed", async () => {
    const home = await newHome({ [eventsOf("s1")]: lines(prompted(1, "Count.")) });
    const source = openHome(home);
    expect(await source.listSessions()).toMatchObject([{ tenantId: "unknown", title: "Count." }]);
    await writeFile(path.join(home, eventsOf("s1")), session("s1"));
    await writeFile(path.join(home, "session-state/s1/workspace.yaml"), "name: Books\n");
    expect(await source.listSessions()).toMatchObject([
      { tenantId: "-home-ada-shop", directory: "/home/ada/shop", title: "Books", tokens: 110 },
    ]);
    await mkdir(path.join(home, "session-state/s2"));
    await writeFile(path.join(home, eventsOf("s2")), session("s2"));
    expect(await source.listSessions()).toHaveLength(2);
  });

  it("are none that lie outside of the folder", async () => {
    const outside = await newHome({ "x/events.jsonl": session("x") });
    const home = await newHome({ [eventsOf("s1")]: session("s1") });
    await symlink(path.join(outside, "x"), path.join(home, "session-state/x"));
    await symlink(path.join(outside, "x/events.jsonl"), path.join(home, "session-state/y.jsonl"));
    expect(await listed(home)).toEqual(["-home-ada-shop/s1: Count."]);
  });
});

describe("A folder of Copilot CLI", () => {
  const PLACES = historyPlaces();
  const INVENTED = inventedFolder("copilot-cli");
  const isRecognised = (folder: string) => runToEnd(copilotCliFormat.folder.recognises(folder));

  it("is known by its records, never by names alone", async () => {
    const later = lines(happens(1, "session.resume", {}));
    for (const files of [
      { [eventsOf("s1")]: session("s1") },
      { "s1.jsonl": later },
      { "s1/events.jsonl": later },
    ])
      expect([files, isRecognised(await newHome(files))]).toEqual([files, true]);
    for (const files of [
      {},
      { "session-state/s1/workspace.yaml": "id: s1\n" },
      { [eventsOf("s1")]: "" },
      { [eventsOf("s1")]: "no json\n" },
      { [eventsOf("s1")]: '{"type":"session.start","data":{}}\n' },
      { [eventsOf("s1")]: '{"type":"user","data":{},"id":"a","parentId":null}\n' },
    ])
      expect([files, isRecognised(await newHome(files))]).toEqual([files, false]);
    expect(isRecognised("/nowhere/at/all")).toBe(false);
  });

  it("is told apart from those of other tools", async () => {
    const places = [...PLACES, { place: ".", folder: SHARED_DATA, kind: "all" }];
    const own = places.filter(({ folder }) => isRecognised(folder));
    expect(own.length).toBeGreaterThan(HAS_SHARED_DATA ? 5 : 1);
    expect(own.filter(({ kind }) => kind !== "copilot-cli")).toEqual([]);
    const homes = [INVENTED, ...(HAS_SHARED_DATA ? [path.join(SHARED_DATA, "copilot-cli/run-1.0.102")] : [])];
    for (const home of homes) {
      expect([home, isRecognised(home)]).toEqual([home, true]);
      for (const { name, load } of HISTORY_FORMATS.filter((format) => format.name !== "copilot-cli")) {
        const { format } = await load();
        expect([name, runToEnd(format.folder.recognises(home))]).toEqual([name, false]);
      }
    }
  });
});
