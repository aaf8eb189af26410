import type { TestContext } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import type { SessionSnapshot } from "../../src/application/ports/session-snapshot.js";
import { type ContractSession, NOON } from "./fixture.js";

export type ContractPart =
  | "sessions"
  | "order"
  | "absence"
  | "ownership"
  | "unknown events"
  | "unicode"
  | "big integers"
  | "tenants"
  | "several traces"
  | "orchestration"
  | "many records"
  | "snapshots"
  | "streams"
  | "warnings"
  | "search"
  | "record search"
  | "candidates"
  | "revision"
  | "survey"
  | "cancellation";

export type ContractList = "envelopes" | "orchestrationEvents" | "messages";

export interface ContractSource {
  readonly source: InspectorDataSource;

  /**
   * Adds turns and records to a new or an existing session. Resolves once readers see it; without it, the suite tests no changes of the
   * store.
   */
  readonly append?: (session: ContractSession) => Promise<void>;

  /** Stores something unreadable after the records of a list, for stores such as files. Without it, the suite tests no warnings. */
  readonly corrupt?: (session: ContractSession, list: ContractList) => Promise<void>;
}

/** Makes a source that holds exactly these sessions. */
export type CreateContractSource = (
  sessions: readonly ContractSession[],
) => InspectorDataSource | ContractSource | Promise<InspectorDataSource | ContractSource>;

export interface ContractSuite {
  /** A source that holds these sessions, closed after the test. */
  open(...sessions: readonly ContractSession[]): Promise<ContractSource>;
  /** Describes a part; the report has a skipped part with its name and its reason. */
  part(name: ContractPart, body: () => void): void;
}

export const SESSION: ContractSession = { tenantId: "acme", sessionId: "s1", userId: "ada", createdAt: NOON };

/** Skips the test where the member is missing. */
export function needed<T>(test: TestContext, name: string, member: T | undefined): T {
  if (member === undefined) test.skip(`there is no ${name}`);
  return member as T;
}

export async function openSnapshot(test: TestContext, source: InspectorDataSource): Promise<SessionSnapshot> {
  needed(test, "openSession", source.openSession);
  const session = await source.openSession?.(SESSION.tenantId, SESSION.sessionId);
  if (session === undefined) throw new Error("openSession does not know a session that is there.");
  return session;
}
