import { useEffect, useState } from "react";
import type { ReadWhy, WhyQuery } from "../engine/why/read-why.js";
import { engine } from "./engine.js";
import { useAnswer } from "./use-answer.js";

const SOON_MS = 300;

export function useWhy(query: WhyQuery | undefined): { readonly read: ReadWhy | undefined; retry(): void } {
  const key = JSON.stringify(query);
  const [requests, setRequests] = useState(0);
  const answer = useAnswer(
    () => query && engine.call("why", query).then((read) => ({ key, requests, read })),
    [key, requests],
  );
  const read = answer !== undefined && answer.key === key ? answer.read : undefined;
  const isPartial = read !== undefined && "explained" in read && read.explained.coverage.unread > 0;
  const answered = answer?.requests;
  useEffect(() => {
    if (!isPartial || answered === undefined) return;
    const timer = setTimeout(() => setRequests(answered + 1), SOON_MS);
    return () => clearTimeout(timer);
  }, [isPartial, answered]);
  return { read, retry: () => setRequests((count) => count + 1) };
}
