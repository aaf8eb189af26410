import { useEffect, useState } from "react";
import type { SourcesRead } from "../engine/read-sources.js";
import { engine } from "./engine.js";
import { useAnswer } from "./use-answer.js";

/** How long after an answer it is asked for again: soon where more is read with each answer. */
const SOON_MS = 500;
const LATER_MS = 60_000;
/** The same where only what will be deleted is asked for. */
const SELDOM_MS = 600_000;

export interface ShownSources {
  /** What was answered last; `undefined` until there is an answer. */
  readonly read: SourcesRead | undefined;
  retry(): void;
}

interface UseSources {
  readonly isWanted?: boolean;
  readonly only?: "due";
}

/**
 * Where the histories come from, asked for again while the page is visible.
 *
 * @param isWanted whether to ask at all. Default is yes
 * @param only `"due"` for those whose tool deletes sessions, seldom. Default is all, soon again until all has been read
 */
export function useSources({ isWanted = true, only }: UseSources = {}): ShownSources {
  const [asked, setAsked] = useState(0);
  const retry = () => setAsked((count) => count + 1);
  const answer = useAnswer(
    () => (isWanted ? engine.call("sources", only).then((read) => ({ asked, read })) : undefined),
    [asked, isWanted, only],
  );
  const read = answer?.read;
  const isPartial =
    read !== undefined &&
    "sources" in read &&
    read.sources.some(({ isComplete, failure }) => !isComplete && failure === undefined);
  const wait = only === "due" ? SELDOM_MS : isPartial ? SOON_MS : LATER_MS;
  const answered = answer?.asked;
  useEffect(() => {
    if (answered === undefined) return;
    const timer = setTimeout(function again() {
      if (document.hidden) document.addEventListener("visibilitychange", again, { once: true });
      else setAsked((count) => count + 1);
    }, wait);
    return () => clearTimeout(timer);
  }, [answered, wait]);
  return { read, retry };
}
