import type { CommonPart } from "./parts.js";
import type { PartLocation, RecordOrigin } from "./record-origin.js";
import type { TraceRecorder } from "./trace-recorder.js";

export const FIRST: PartLocation = { isMain: true, part: 0 };

export function followPart(
  out: TraceRecorder,
  origin: RecordOrigin,
  part: CommonPart | undefined,
  at: PartLocation = FIRST,
): void {
  switch (part?.is) {
    case "prompt":
      out.noteDirectory(part.directory);
      return out.beginTurn(origin, part);
    case "text":
    case "block":
      return out.block(origin, at);
    case "call":
      return out.beginTool(origin, part, at);
    case "result":
      return out.endTool(origin, part, at);
    case "ask":
      return out.ask(origin, part, at);
    case "answer":
      origin.conversation.followCall({ does: "answer", callId: part.callId });
      return out.passThrough(origin);
    case "job end":
      out.endJob(origin, part, at);
      return at.isMain ? out.passThrough(origin) : undefined;
    case "turn end":
      out.endTurn(origin, part.outcome);
      if (part.outcome !== undefined) out.finish(origin);
      return;
    case "error":
      if (part.endsCall) out.endCall(origin.conversation);
      return out.fail(origin, part);
    case "compaction":
      return out.compaction(origin, part.durationMs ?? 0);
    case "input":
      out.answerTo(origin);
      return out.passThrough(origin);
    case "failure":
      out.failBookkeeping(origin, part);
      return out.passThrough(origin);
    case "title":
      out.noteTitles(part.titles);
      return out.passThrough(origin);
    case undefined:
      return out.passThrough(origin);
  }
}
