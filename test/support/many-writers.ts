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
  /** Default is `writeTo`. */
  readonly readFrom?: string;
  /** Resolves when acknowledged records are readable there. */
  readonly settled?: () => Promise<void>;
  /** Runs during the writes, once half of the records are acknowledged. */
  readonly meanwhile?: () => Promise<void>;
  /** Readers may get these errors. */
  readonly isExpected?: (error: unknown) => boolean;
}

/** Several processes write to the same sessions; every acknowledged record must be there once and in order, also during the writes. */
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
