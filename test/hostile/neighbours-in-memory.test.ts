import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { combineDataSources, type InspectorDataSource } from "../../src/index.js";
import { answersAlone, expectSameBeside } from "../support/neighbours/compare-beside.js";
import type { Asked } from "../support/neighbours/interview.js";
import {
  GOOD,
  goodSession,
  hostileSessions,
  ownSource,
  type RecordedSession,
  writeTo,
} from "../support/neighbours/recorded-sources.js";
import { sized } from "../support/soak.js";

const hostile = hostileSessions().filter((_, i) => i % sized(5, 1) === 0);

async function memorySource(sessions: readonly RecordedSession[]): Promise<InspectorDataSource> {
  const source = createInMemoryInspectorDataSource([]);
  for (const session of sessions)
    expect(await writeTo(source.sessionStore, session), session.name).toEqual([]);
  return source;
}

const broken = { ...ownSource([], false), listSessions: () => Promise.reject(new Error("broken")) };

type Open = (sessions: readonly RecordedSession[]) => Promise<InspectorDataSource>;

const SOURCES: readonly (readonly [name: string, good: Asked, open: Open])[] = [
  ["memory", GOOD, memorySource],
  ["an object with the five methods", GOOD, async (sessions) => ownSource(sessions, sessions.length > 1)],
  [
    "a combination",
    { ...GOOD, tenantId: `good:${GOOD.tenantId}` },
    async ([good, ...others]) => {
      return combineDataSources(
        [
          { key: "good", source: await memorySource([good!]) },
          { key: "own", source: ownSource(others, others.length > 0) },
          { key: "broken", source: others.length > 0 ? broken : ownSource([], false) },
        ],
        { onError: () => undefined },
      );
    },
  ],
];

it.each(SOURCES)(
  "In %s, hostile records cost nothing of a session beside them",
  { timeout: 120_000 },
  async (name, good, open) => {
    expect(hostile.length).toBeGreaterThan(sized(6, 30));
    const expected = await answersAlone(await open([goodSession]), good);
    const source = await open([goodSession, ...hostile]);
    const { sessions } = await expectSameBeside(source, good, expected, name === "memory");
    expect(sessions.length).toBeGreaterThan(sized(6, 30));
  },
);
