import type { ArchiveLines } from "../../../application/ports/export.js";
import type { ReadOptions } from "../../../application/ports/record-stream.js";
import { runInSlices } from "../../../application/threads/slices.js";
import type {
  ArchivedMessage,
  ArchivedOutline,
  ArchivedSession,
  ArchiveHead,
} from "../../../domain/archive/archive-record.js";
import { type JsonObject, objectField, recordIn } from "../../../domain/json/json.js";
import type { ListedSession } from "../../../domain/session/model-usage.js";
import { ArchiveCursor } from "./archive-cursor.js";
import { type ExportedTrace, type Keep, TraceReading } from "./exported-trace.js";

export interface ExportedSession<Retained> {
  readonly head: ArchiveHead;
  readonly listed: ListedSession;
  /** Only for a part of a session: the numbers of its turns. */
  readonly turnNumbers: readonly number[];
  readonly trace: ExportedTrace<Retained>;
  /** Conversations in order. Consumers can iterate once, and only before they request the next session. */
  readonly messages: AsyncIterable<ExportedMessage | ExportedOutline>;
}

interface ExportedMessage {
  /** `""` for the main agent. */
  readonly agentId: string;
  readonly message: JsonObject;
  /** Holders of many messages hold only lines, and read them again with `messageIn`. */
  readonly line: string;
}

/** Precedes the messages of its conversation. */
interface ExportedOutline extends Pick<ArchivedOutline, "outline"> {
  readonly agentId: string;
}

/**
 * Holds each trace until its end, because only then is the kind of each step certain. Does not hold messages and earlier sessions.
 * @param keeping selects the event data to retain
 */
export async function* sessionsIn<Retained>(
  lines: ArchiveLines,
  keeping: (head: ArchiveHead) => Keep<Retained>,
  options: ReadOptions = {},
): AsyncGenerator<ExportedSession<Retained>, void> {
  const cursor = new ArchiveCursor(lines, options);
  try {
    let head: ArchiveHead | undefined;
    await cursor.move();
    while (cursor.line !== "") {
      const { line, member } = cursor;
      await cursor.move();
      if (member === "archive") head = objectField(recordIn(line), "archive") as unknown as ArchiveHead;
      if (member !== "session" || head === undefined) continue;
      const { session: listed, turns = [] } = recordIn(line) as unknown as ArchivedSession;
      const reading = new TraceReading(keeping(head));
      for (; !BEHIND_TRACE.has(cursor.member); await cursor.move()) {
        if (cursor.member === "envelope") reading.addEnvelope(cursor.line);
        if (cursor.member === "event") reading.addEvent(recordIn(cursor.line).event);
      }
      const trace = await runInSlices(reading.end(listed, head.part !== null), options.signal);
      yield { head, listed, turnNumbers: turns, trace, messages: messagesAt(cursor) };
    }
  } finally {
    await cursor.close();
  }
}

/** Members that end a trace; `""` is after the last line. */
const BEHIND_TRACE = new Set(["outline", "message", "session", "end", ""]);

async function* messagesAt(cursor: ArchiveCursor): AsyncGenerator<ExportedMessage | ExportedOutline, void> {
  for (; cursor.line !== "" && cursor.member !== "session"; await cursor.move()) {
    const { line, member } = cursor;
    if (member === "outline") {
      const { outline, agent: agentId = "" } = recordIn(line) as unknown as ArchivedOutline;
      yield { agentId, outline };
    } else if (member === "message") {
      const record = recordIn(line);
      const { agent: agentId = "" } = record as unknown as ArchivedMessage;
      yield { agentId, message: objectField(record, "message"), line };
    }
  }
}

export function messageIn(line: string): JsonObject {
  return objectField(recordIn(line), "message");
}
