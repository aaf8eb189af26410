import type { TestContext } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import type { SessionSnapshot } from "../../src/application/ports/session-snapshot.js";
import { type ContractSession, NOON } from "./fixture.js";

/** The parts of the contract, by which a source that cannot hold such records skips them with a reason. */
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

/** A list of a session, as a {@link ContractSession} names it. */
export type ContractList = "envelopes" | "orchestrationEvents" | "messages";

/** A source under test, and what the suite may do to the store behind it. */
export interface ContractSource {
  readonly source: InspectorDataSource;

  /**
   * Adds turns and records to a session that the source holds, or a session that it does not hold. Resolved when a reader can
   * see it. Without it, nothing is tested of what a source does when its store changes.
   */
  readonly append?: (session: ContractSession) => Promise<void>;

  /**
   * Stores something that cannot be read behind the records that a list of a session has. For stores where that can be, such
   * as files. Without it, no warning is tested.
   */
  readonly corrupt?: (session: ContractSession, list: ContractList) => Promise<void>;
}

/** Makes a source that holds exactly these sessions. */
export type CreateContractSource = (
  sessions: readonly ContractSession[],
) => InspectorDataSource | ContractSource | Promise<InspectorDataSource | ContractSource>;

/** What the parts of the contract are written with. */
export interface ContractSuite {
  /** A source that holds these sessions, closed after the test. */
  open(...sessions: readonly ContractSession[]): Promise<ContractSource>;
  /** Describes a part; a skipped one is reported by its name and its reason. */
  part(name: ContractPart, body: () => void): void;
}

export const SESSION: ContractSession = { tenantId: "acme", sessionId: "s1", userId: "ada", createdAt: NOON };

/** What a test cannot do without: the test is skipped where it is missing. */
export function needed<T>(test: TestContext, name: string, member: T | undefined): T {
  if (member === undefined) test.skip(`there is no ${name}`);
  return member as T;
}

/** The session of the suite, opened. */
export async function openSnapshot(test: TestContext, source: InspectorDataSource): Promise<SessionSnapshot> {
  needed(test, "openSession", source.openSession);
  const session = await source.openSession?.(SESSION.tenantId, SESSION.sessionId);
  if (session === undefined) throw new Error("openSession does not know a session that is there.");
  return session;
}
