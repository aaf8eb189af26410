import { DecidingWords } from "../../domain/changes/deciding-words.js";
import type { SeenByWriter } from "../../domain/changes/line-explanation.js";
import { tracedCall } from "../../domain/spans/model-call-of.js";
import { estimateTokens } from "../../domain/usage/token-counts.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionKey } from "../ports/session-store.js";
import { yieldToEventLoop } from "../threads/slices.js";
import type { SeenContexts } from "./seen-contexts.js";

/** How many messages are read at a time. */
const AT_A_TIME = 32;

/**
 * What a model saw when it asked for an edit, and which message of it some lines are made of; `undefined` where no model call is known to have asked
 * for it.
 *
 * @param call the id of the envelope that began the edit
 */
export async function contextOfWriter(
  contexts: SeenContexts,
  session: SessionSnapshot,
  { call, lines, ...key }: SessionKey & { readonly call: string; readonly lines: readonly string[] },
  options: ReadOptions,
): Promise<SeenByWriter | undefined> {
  const found = await contexts.find(session, { ...key, call }, options);
  if (found === undefined) return undefined;
  const seen = await contexts.seenBy(session, found, options);
  const words = new DecidingWords(lines);
  for (let at = 0; at < seen.messages.length; at += AT_A_TIME) {
    for (const { message, item } of await seen.read(seen.messages.slice(at, at + AT_A_TIME)))
      words.add(message, item);
    await yieldToEventLoop();
  }
  const { spanId, tokens } = tracedCall(found.call);
  return {
    call: spanId,
    messages: seen.messages.length,
    estimatedTokens: seen.messages.reduce((sum, { size }) => sum + estimateTokens(size), 0),
    ...(tokens === undefined ? {} : { countedTokens: tokens }),
    source: seen.source,
    ...words.result(),
  };
}
