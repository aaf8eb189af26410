import { ArchiveError } from "../../application/errors.js";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchivedList,
  type ArchiveHead,
} from "../../domain/archive/archive-record.js";
import { countOf, isJsonObject, type JsonObject, objectField } from "../../domain/json/json.js";
import { LONGEST_ID } from "../../domain/session/ids.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { keyText } from "../../domain/session/session-key.js";
import { instantOf } from "../../domain/trace/instant.js";
import type { OrchestrationSnapshot } from "../../domain/trace/orchestration.js";
import {
  LONGEST_HEAD,
  MOST_CHARACTERS,
  MOST_CONVERSATIONS,
  MOST_LINES,
  MOST_ROWS,
  MOST_ROWS_OF_ALL,
  MOST_SESSIONS,
} from "./archive-bounds.js";
import { type ListName, likelyMember, type RecordLine, readLine } from "./archive-line.js";
import { type ArchivedConversation, ArchivedHistory } from "./archived-session.js";
import { boundedItem } from "./bounded-item.js";
import { BoundedWarnings } from "./bounded-warnings.js";
import { checkedFacts, rowsOfFacts } from "./checked-facts.js";
import { checkedOutline } from "./checked-outline.js";

/** The real name of the file is private to the machine. */
const FILE = "archive";

const MOST_WARNINGS = 100;

const LIST_OF: { readonly [member: string]: ArchivedList } = {
  envelope: "trace",
  message: "messages",
  outline: "messages",
  event: "orchestration",
  // Without a state nobody would look at its warnings.
  state: "orchestration",
} satisfies { readonly [name in ListName | "outline" | "state"]: ArchivedList };

/** A line that cannot be read is a warning, and costs no other line. */
export class ArchiveReader {
  readonly histories = new Map<string, ArchivedHistory>();
  readonly warnings = new BoundedWarnings(MOST_WARNINGS);
  head: ArchiveHead | undefined;
  #line = 0;
  #blankLines = 0;
  #characters = 0;
  #conversations = 0;
  #rows = 0;
  #sessions = 0;
  #isEnded = false;
  #current: ArchivedHistory | undefined;

  /** @throws ArchiveError if the first line is not the head of an archive, or of a later version, and if the archive is too large */
  add(line: string): void {
    this.#count(line);
    if (line === "") return;
    this.#line++;
    if (this.head === undefined) {
      this.head = readHead(line);
      return;
    }
    if (this.#isEnded) {
      this.#warn("follows the end of the archive, and is skipped");
      return;
    }
    const read = readLine(line);
    if (read.list !== undefined) this.#addRecord(read);
    else if (read.members !== undefined) this.#addMembers(read.members);
    else this.#noteUnreadable(line, read.reason);
  }

  /** @throws ArchiveError if the archive is incomplete */
  *end(): Generator<void, ArchiveHead> {
    if (this.head === undefined) throw new ArchiveError(`It is empty. ${AGAIN}`);
    if (!this.#isEnded) throw new ArchiveError(`It breaks off: its end is missing. ${AGAIN}`);
    for (const { trace, conversations } of this.histories.values()) {
      yield* trace.end();
      for (const conversation of conversations) {
        conversation.boundOutline({ file: FILE, line: this.#line });
        yield;
      }
    }
    return this.head;
  }

  #count(line: string): void {
    this.#characters += line.length + 1;
    if (line === "") this.#blankLines++;
    if (this.#characters > MOST_CHARACTERS)
      throw tooLarge(`more than ${MOST_CHARACTERS / 2 ** 20} Mi characters`);
    if (this.#line + this.#blankLines >= MOST_LINES)
      throw tooLarge(`more than ${MOST_LINES.toLocaleString("en")} lines`);
  }

  #addMembers(members: JsonObject): void {
    const { session, outline, state, warning, end } = members;
    if (isJsonObject(session)) this.#begin(session, members.revision);
    else if (isJsonObject(end)) this.#finish(end);
    else if (this.#current === undefined) this.#warn("belongs to no session that can be read");
    else if (outline !== undefined) this.#addOutline(outline, members);
    else if (state !== undefined) this.#addState(state);
    else if (isJsonObject(warning)) this.#addWarning(warning, members);
    else this.#warn("holds no supported record, and is skipped");
  }

  #begin(session: JsonObject, revision: unknown): void {
    this.#sessions++;
    this.#current = undefined;
    const { tenantId = "default", sessionId } = session;
    if (typeof tenantId !== "string" || typeof sessionId !== "string" || sessionId === "") {
      this.#warn("names no session");
      return;
    }
    if (this.histories.size >= MOST_SESSIONS) {
      this.#warn(`begins more than ${MOST_SESSIONS.toLocaleString("en")} sessions, and is skipped`);
      return;
    }
    const key = keyText({ tenantId, sessionId });
    if (this.histories.has(key)) {
      this.#warn("begins a session that is there already: the second one is skipped");
      return;
    }
    const { facts: storedFacts, ...others } = session;
    const facts = this.#factsIn(storedFacts);
    const { item, dropped } = boundedItem(others);
    if (dropped.length > 0) this.#warn(`has too large a ${dropped.join(", ")}, which is skipped`);
    const listed = {
      ...item,
      tenantId,
      ...(facts === undefined ? {} : { facts }),
    } as object as ListedSession;
    this.#current = new ArchivedHistory(listed, typeof revision === "string" ? revision : undefined);
    this.histories.set(key, this.#current);
  }

  /** Omits facts that would take too much memory: the session is then added up from its records. */
  #factsIn(storedFacts: unknown): ListedSession["facts"] {
    const rows = rowsOfFacts(storedFacts);
    const [most, whose] =
      rows > MOST_ROWS ? [MOST_ROWS, "a session"] : [MOST_ROWS_OF_ALL, "all sessions together"];
    if (rows > MOST_ROWS || this.#rows + rows > MOST_ROWS_OF_ALL) {
      this.#warn(`has facts that are skipped: ${whose} may have ${most.toLocaleString("en")} rows of them`);
      return undefined;
    }
    this.#rows += rows;
    return checkedFacts(storedFacts);
  }

  #addRecord({ list, text, record, shows, agent }: RecordLine): void {
    const current = this.#current;
    if (current === undefined) this.#warn("belongs to no session that can be read");
    else if (list === "event") current.events.texts.push(text);
    else if (list === "message") this.#conversationOf(agent)?.texts.push(text);
    else current.trace.add(text, record, isCount(shows) ? shows : undefined);
  }

  #addOutline(storedFacts: unknown, { agent }: JsonObject): void {
    const outline = checkedOutline(storedFacts);
    const conversation = outline && this.#conversationOf(agent);
    if (outline === undefined) this.#miss("messages", "is no outline of a conversation");
    else if (conversation !== undefined) conversation.outline = outline;
  }

  #conversationOf(agent: unknown): ArchivedConversation | undefined {
    const current = this.#current!;
    if (agent !== undefined && (typeof agent !== "string" || agent.length > LONGEST_ID)) {
      this.#warn("belongs to an agent that has no name, or too long a one, and is skipped");
      return undefined;
    }
    if (!current.hasConversation(agent) && ++this.#conversations > MOST_CONVERSATIONS) {
      const most = MOST_CONVERSATIONS.toLocaleString("en");
      this.#warn(`belongs to one of more than ${most} conversations of sub-agents, and is skipped`);
      return undefined;
    }
    return current.conversation(agent);
  }

  #addState(state: unknown): void {
    if (isJsonObject(state) && isJsonObject(state.agents))
      this.#current!.state = state as object as OrchestrationSnapshot;
    else this.#miss("orchestration", "is no state of an orchestration");
  }

  #addWarning(warning: JsonObject, { of, agent }: JsonObject): void {
    const { file, line, reason } = warning;
    if (typeof file !== "string" || !isCount(line) || typeof reason !== "string") {
      this.#warn("is no warning");
      return;
    }
    this.#warningsOf(of, agent)?.add({ file, line, reason });
  }

  #noteUnreadable(line: string, reason: string): void {
    const member = likelyMember(line);
    if (member === "session") {
      this.#sessions++;
      this.#current = undefined;
    }
    const list = member === undefined ? undefined : LIST_OF[member];
    if (list === undefined || this.#current === undefined) this.#warn(reason);
    else this.#miss(list, reason);
  }

  #finish(end: JsonObject): void {
    this.#isEnded = true;
    if (end.records !== this.#line - 2 || end.sessions !== this.#sessions)
      this.#warn("counts other lines or sessions than there are: some were lost, or added");
  }

  #miss(list: ArchivedList, problem: string): void {
    this.#warningsOf(list, undefined)?.add({ file: FILE, line: this.#line, reason: problem });
  }

  #warningsOf(list: unknown, agent: unknown): BoundedWarnings | undefined {
    const current = this.#current!;
    if (list === "trace") return current.trace.warnings;
    if (list === "messages") return this.#conversationOf(agent)?.warnings;
    return list === "state" ? current.stateWarnings : current.events.warnings;
  }

  #warn(problem: string): void {
    this.warnings.add({ file: FILE, line: this.#line, reason: problem });
  }
}

const AGAIN = "Export the session again.";

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function tooLarge(bound: string): ArchiveError {
  return new ArchiveError(`It is too large to be opened: it has ${bound}. Export fewer sessions.`);
}

function readHead(line: string): ArchiveHead {
  if (line.length > LONGEST_HEAD)
    throw new ArchiveError("It does not begin as an exported session does: its first line is too long.");
  const read = readLine(line);
  return headIn(read.list === undefined ? read.members : undefined);
}

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
    exportedAt: typeof exportedAt === "string" && instantOf(exportedAt) !== undefined ? exportedAt : "",
    writer: typeof writer === "string" ? writer : "",
    part: typeof part === "string" ? part : null,
    redaction: redactionIn(redaction),
    ...(prices === undefined ? {} : { prices }),
  };
}

function redactionIn(value: unknown): ArchiveHead["redaction"] {
  if (!isJsonObject(value)) return null;
  const removed = Object.entries(objectField(value, "removed")).filter(([, count]) => isCount(count));
  return {
    removed: Object.fromEntries(removed) as { [rule: string]: number },
    kept: countOf(value.kept),
  };
}
