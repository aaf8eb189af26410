import { useEffect, useState } from "react";
import { engine } from "../../app/engine.js";
import type { MessagesView } from "../../engine/message-protocol.js";

/** The conversation as the engine holds it; asking for it is what makes the engine read it. */
export function useMessages(search: string, version: number): MessagesView | undefined {
  const [view, setView] = useState<MessagesView>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the conversation has grown
  useEffect(() => {
    let stale = false;
    engine.call("messagesView", search).then((known) => {
      if (!stale) setView(known);
    });
    return () => {
      stale = true;
    };
  }, [search, version]);
  return view;
}
