import { expect } from "vitest";
import type { InspectorDataSource } from "../../src/index.js";
import { createPostgresDataSource } from "../../src/postgres.js";
import { type Acknowledged, countOf, readSession, readUntil, runWriters } from "./writer-processes.js";

const SESSIONS = 10;
const WRITERS = 4;
/** Each writer's. */
const RECORDS = 2_000;

interface ManyWriters {
  readonly writeTo: string;
  /** Where the records are read, if elsewhere. */
  readonly readFrom?: string;
  /** Resolves when what was acknowledged can be read there. */
  readonly settled?: () => Promise<void>;
  /** What is done while they write, once half of it is acknowledged. */
  readonly meanwhile?: () => Promise<void>;
  /** Which errors readers may come upon. */
  readonly isExpected?: (error: unknown) => boolean;
}

/** Has processes write to the same sessions, and finds every record that was acknowledged, once and in order, also while they write. */
export async function expectManyWriters(given: ManyWriters): Promise<void> {
  const { writeTo, readFrom = writeTo, settled, meanwhile, isExpected } = given;
  const source = createPostgresDataSource({ connectionString: readFrom });
  try {
    const acknowledged: Acknowledged = new Map();
    const size = { writers: WRITERS, records: RECORDS, sessions: SESSIONS };
    const writing = runWriters({ connectionString: writeTo, ...size }, acknowledged);
    const half = async () => {
      if (meanwhile === undefined) return;
      while (countOf(acknowledged) < (WRITERS * RECORDS) / 2)
        await new Promise((resolve) => setTimeout(resolve, 20));
      await meanwhile();
    };
    const [, readings] = await Promise.all([
      writing,
      readUntil(writing, source, SESSIONS, isExpected),
      half(),
    ]);
    expect(readings).toBeGreaterThan(10);
    expect(countOf(acknowledged)).toBe(WRITERS * RECORDS);
    await settled?.();
    expect(await everyRecord(source)).toEqual(acknowledged);
  } finally {
    await source.close?.();
  }
}

async function everyRecord(source: InspectorDataSource): Promise<Acknowledged> {
  const found: Acknowledged = new Map();
  for (let session = 0; session < SESSIONS; session++)
    for (const [key, records] of await readSession(source, session)) found.set(key, records);
  return found;
}
