import { ArchiveError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchivedList,
  type ArchiveHead,
} from "../../domain/archive/archive-record.js";
import { isJsonObject, type JsonObject, objectField } from "../../domain/json/json.js";
import type { OrchestrationSnapshot } from "../../domain/orchestration/orchestration.js";
import type { ListedSession } from "../../domain/usage/model-usage.js";
import { type ListName, likelyMember, type RecordLine, readLine } from "./archive-line.js";
import { ArchivedHistory } from "./archived-session.js";
import { checkedFacts } from "./checked-facts.js";
import { checkedOutline } from "./checked-outline.js";

/** How warnings call an archive: its own name is one of the machine. */
const FILE = "archive";

/** Of how many lines that nobody can tell the list of each is named. */
const MOST_WARNINGS = 100;

const LIST_OF: { readonly [member: string]: ArchivedList } = {
  envelope: "trace",
  message: "messages",
  outline: "messages",
  event: "orchestration",
  state: "state",
} satisfies { readonly [name in ListName | "outline" | "state"]: ArchivedList };

/** Reads an archive line by line. A line that cannot be read is a warning, and costs no other one. */
export class ArchiveReader {
  readonly histories = new Map<string, ArchivedHistory>();
  /** What is wrong with the archive as a whole. */
  readonly warnings: RecordWarning[] = [];
  head: ArchiveHead | undefined;
  #line = 0;
  #sessions = 0;
  #isEnded = false;
  /** Whose records come; `undefined` where that cannot be told. */
  #current: ArchivedHistory | undefined;

  /** @throws ArchiveError where the first line is not that of an archive, or of a later version */
  add(line: string): void {
    this.#line++;
    const read = readLine(line);
    if (this.head === undefined) {
      this.head = headIn(read?.list === undefined ? read?.members : undefined);
    } else if (this.#isEnded) {
      this.#warn("stands behind the end, and is left out");
    } else if (read === undefined) {
      this.#noteUnreadable(line);
    } else if (read.list === undefined) {
      this.#addMembers(read.members);
    } else {
      this.#addRecord(read);
    }
  }

  /** @throws ArchiveError where it broke off */
  *end(): Generator<void, ArchiveHead> {
    if (this.head === undefined) throw new ArchiveError(`It is empty. ${AGAIN}`);
    if (!this.#isEnded) throw new ArchiveError(`It breaks off: its end is missing. ${AGAIN}`);
    for (const { trace } of this.histories.values()) yield* trace.end();
    return this.head;
  }

  #addMembers(members: JsonObject): void {
    const { session, outline, state, warning, end } = members;
    if (isJsonObject(session)) this.#begin(session, members.revision);
    else if (isJsonObject(end)) this.#finish(end);
    else if (this.#current === undefined) this.#warn("belongs to no session that can be read");
    else if (outline !== undefined) this.#addOutline(outline, members);
    else if (state !== undefined) this.#addState(state);
    else if (isJsonObject(warning)) this.#addWarning(warning, members);
    else this.#warn("says nothing that is known, and is left out");
  }

  #begin(session: JsonObject, revision: unknown): void {
    this.#sessions++;
    this.#current = undefined;
    const { tenantId = "default", sessionId } = session;
    if (typeof tenantId !== "string" || typeof sessionId !== "string" || sessionId === "") {
      this.#warn("names no session");
      return;
    }
    const key = keyOf(tenantId, sessionId);
    if (this.histories.has(key)) {
      this.#warn("begins a session that is there already: the second one is left out");
      return;
    }
    const { facts: given, ...item } = session;
    const facts = checkedFacts(given);
    const listed = {
      ...item,
      tenantId,
      ...(facts === undefined ? {} : { facts }),
    } as object as ListedSession;
    this.#current = new ArchivedHistory(listed, typeof revision === "string" ? revision : undefined);
    this.histories.set(key, this.#current);
  }

  #addRecord({ list, text, record, shows, agent }: RecordLine): void {
    const current = this.#current;
    if (current === undefined) this.#warn("belongs to no session that can be read");
    else if (list === "event") current.events.texts.push(text);
    else if (list === "message") current.conversation(agentOf(agent)).texts.push(text);
    else current.trace.add(text, record, Number.isSafeInteger(shows) ? Number(shows) : undefined);
  }

  #addOutline(given: unknown, { agent }: JsonObject): void {
    const outline = checkedOutline(given);
    if (outline === undefined) this.#miss("messages", "is no outline of a conversation");
    else this.#current!.conversation(agentOf(agent)).outline = outline;
  }

  #addState(state: unknown): void {
    if (isJsonObject(state) && isJsonObject(state.agents))
      this.#current!.state = state as object as OrchestrationSnapshot;
    else this.#miss("state", "is no state of an orchestration");
  }

  #addWarning(warning: JsonObject, { of, agent }: JsonObject): void {
    const { file, line, reason } = warning;
    if (typeof file !== "string" || !Number.isSafeInteger(line) || typeof reason !== "string") {
      this.#warn("is no warning");
      return;
    }
    this.#warningsOf(of, agent).push({ file, line: Number(line), reason });
  }

  #noteUnreadable(line: string): void {
    const member = likelyMember(line);
    // What follows is not of the session before.
    if (member === "session") {
      this.#sessions++;
      this.#current = undefined;
    }
    const list = member === undefined ? undefined : LIST_OF[member];
    if (list === undefined || this.#current === undefined) this.#warn("is not valid JSON");
    else this.#miss(list, "is not valid JSON");
  }

  #finish(end: JsonObject): void {
    this.#isEnded = true;
    if (end.records !== this.#line - 2 || end.sessions !== this.#sessions)
      this.#warn("counts other lines or sessions than there are: some were lost, or added");
  }

  #miss(list: ArchivedList, problem: string): void {
    this.#warningsOf(list, undefined).push({ file: FILE, line: this.#line, reason: problem });
  }

  #warningsOf(list: unknown, agent: unknown): RecordWarning[] {
    const current = this.#current!;
    if (list === "trace") return current.trace.warnings;
    if (list === "messages") return current.conversation(agentOf(agent)).warnings;
    return list === "state" ? current.stateWarnings : current.events.warnings;
  }

  #warn(problem: string): void {
    if (this.warnings.length < MOST_WARNINGS)
      this.warnings.push({ file: FILE, line: this.#line, reason: problem });
  }
}

const AGAIN = "Export the session again.";

export function keyOf(tenantId: string, sessionId: string): string {
  return `${tenantId}\0${sessionId}`;
}

const agentOf = (agent: unknown) => (typeof agent === "string" ? agent : undefined);

function headIn(line: JsonObject | undefined): ArchiveHead {
  const archive = objectField(line ?? {}, "archive");
  const { format, version, exportedAt, writer, part, redaction, prices } = archive;
  if (format !== ARCHIVE_FORMAT || !Number.isSafeInteger(version) || Number(version) < 1)
    throw new ArchiveError("It does not begin as an exported session does.");
  if (Number(version) > ARCHIVE_VERSION) {
    throw new ArchiveError(
      `It was written by a later agent-inspector: its format has the version ${Number(version)}, and this one reads up to ${ARCHIVE_VERSION}. ` +
        "Open it with a newer one.",
    );
  }
  return {
    format: ARCHIVE_FORMAT,
    version: Number(version),
    exportedAt: typeof exportedAt === "string" ? exportedAt : "",
    writer: typeof writer === "string" ? writer : "",
    part: typeof part === "string" ? part : null,
    redaction: redactionIn(redaction),
    ...(prices === undefined ? {} : { prices }),
  };
}

function redactionIn(value: unknown): ArchiveHead["redaction"] {
  if (!isJsonObject(value)) return null;
  const removed = Object.entries(objectField(value, "removed")).filter(([, count]) => Number.isFinite(count));
  return {
    removed: Object.fromEntries(removed) as { [rule: string]: number },
    kept: Number.isSafeInteger(value.kept) ? Number(value.kept) : 0,
  };
}
