import { expect, it } from "vitest";
import { AnalysisReader } from "../../src/application/analysis/analysis-reader.js";
import { SourceUnavailableError } from "../../src/application/errors.js";
import { CompareSessions } from "../../src/application/questions/compare-sessions.js";
import { SummarizeSession } from "../../src/application/questions/summarize-session.js";
import type { SessionKey } from "../../src/domain/session/session-key.js";
import type { InspectorDataSource } from "../../src/index.js";
import { RemoteStore, sessionsNamed } from "../support/remote-store.js";

/** Loads for the sum of a session: envelopes, messages, orchestration events. */
const PARTS = 3;

it("adds up two sessions at a time, whoever asks, and loads no other one meanwhile", async () => {
  const store = new RemoteStore(sessionsNamed(8));
  const summarize = new SummarizeSession(store.source);
  const sessions = sessionsNamed(8).map(({ sessionId }) => ({ tenantId: "acme", sessionId }));
  await Promise.all(sessions.map((session) => summarize.execute(session)));
  expect(store.asked).toHaveLength(8 * PARTS);
  expect(store.mostAtOnce).toBe(2 * PARTS);
});

const [S0, S1] = ["s000", "s001"].map((sessionId) => ({ tenantId: "acme", sessionId })) as [
  SessionKey,
  SessionKey,
];

it.each<[string, number, (source: InspectorDataSource) => () => Promise<unknown>]>([
  [
    "summary",
    PARTS,
    (source) => {
      const summarize = new SummarizeSession(source);
      return () => summarize.execute(S0);
    },
  ],
  [
    "comparison",
    // The list already has the folder of each.
    2 * (PARTS + 1),
    (source) => {
      const compare = new CompareSessions(source);
      return () => compare.execute({ sessions: [S0, S1] });
    },
  ],
])("reads once more for all who ask for the same %s while it is made", async (_, reads, askerOf) => {
  const store = new RemoteStore(sessionsNamed(2));
  const ask = askerOf(store.source);
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(store.asked).toHaveLength(2 * reads);
});

it("does not read for who has gone before its turn, and refuses who would wait behind two hundred", async () => {
  const reader = new AnalysisReader();
  const leave = new AbortController();
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const asked: string[] = [];
  const read = (name: string, signal?: AbortSignal) =>
    reader.read([], { signal }, async () => {
      asked.push(name);
      await until;
      return name;
    });
  const first = [read("a"), read("b")];
  const gone = read("gone", leave.signal);
  gone.catch(() => undefined);
  const waiting = Array.from({ length: 199 }, (_, i) => read(String(i)));
  await expect(read("one too many")).rejects.toThrow(SourceUnavailableError);
  leave.abort(new Error("gone"));
  goOn();
  await Promise.all([...first, ...waiting]);
  await expect(gone).rejects.toThrow("gone");
  expect(asked).not.toContain("gone");
  expect(asked).toHaveLength(201);
});
