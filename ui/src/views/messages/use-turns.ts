import { useMemo } from "react";
import { engine } from "../../app/engine.js";
import { mediaStore, useStore } from "../../app/store.js";
import { useAnswer } from "../../app/use-answer.js";
import type { LineCount } from "../../engine/messages/line-counts.js";
import type { MessagesViewModel, TurnRow } from "../../engine/messages/message-protocol.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";

export interface OutlinedTurn extends TurnRow {
  readonly edits: LineCount | undefined;
}

/** Changes with the trace, and when prices arrive. */
export function factsVersion({ traceVersion, cost }: SessionState): string {
  return `${traceVersion} ${cost?.usd}`;
}

export function useTurns(
  view: MessagesViewModel | undefined,
  session: SessionState,
): readonly OutlinedTurn[] | undefined {
  const when = [view?.version, factsVersion(session)];
  const turns = useAnswer(() => (view === undefined ? undefined : engine.call("messageTurns")), when);
  const edits = useAnswer(() => (view === undefined ? undefined : engine.call("messageEdits")), when);
  return useMemo(() => turns?.map((turn, at) => ({ ...turn, edits: edits?.[at] })), [turns, edits]);
}

/** Room for the turns beside the conversation. */
const WIDE = mediaStore("(min-width: 1100px)");

export function useWide(): boolean {
  return useStore(WIDE);
}
