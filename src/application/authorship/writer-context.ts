import { DecidingWords } from "../../domain/changes/deciding-words.js";
import type { WriterContext } from "../../domain/changes/line-explanation.js";
import { answerAndResults, type ReadMessage } from "../../domain/conversation/conversation.js";
import type { MessagePart } from "../../domain/conversation/message-part.js";
import { tracedCall } from "../../domain/conversation/model-call-of.js";
import { sourceInContext } from "../../domain/conversation/provenance.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { estimateTokens } from "../../domain/usage/token-counts.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { CallContexts } from "../records/call-contexts.js";
import { yieldToEventLoop } from "../threads/slices.js";

const AT_A_TIME = 32;

/**
 * The model call that requested an edit, with its context and the message that supplied some lines; `undefined` without a recorded call.
 * @param call the id of the envelope that began the edit
 */
export async function contextOfWriter(
  contexts: CallContexts,
  session: SessionSnapshot,
  { call, lines, ...key }: SessionKey & { readonly call: string; readonly lines: readonly string[] },
  options: ReadOptions,
): Promise<WriterContext | undefined> {
  const matches = await contexts.find(session, { ...key, call }, options);
  if (matches === undefined) return undefined;
  const context = await contexts.contextOf(session, matches, options);
  const words = new DecidingWords(lines);
  const outlines: ReadMessage[] = [];
  for (let at = 0; at < context.messages.length; at += AT_A_TIME) {
    for (const { message, item } of await context.read(context.messages.slice(at, at + AT_A_TIME)))
      for (const one of answerAndResults(message)) {
        words.add(one, item);
        outlines.push(withoutTexts(one));
      }
    await yieldToEventLoop();
  }
  const { because, place, ...others } = words.result();
  const { spanId, tokens } = tracedCall(matches.call);
  return {
    call: spanId,
    messages: context.messages.length,
    estimatedTokens: context.messages.reduce((sum, { size }) => sum + estimateTokens(size), 0),
    ...(tokens === undefined ? {} : { countedTokens: tokens }),
    source: context.source,
    because: because && {
      ...because,
      source: sourceInContext(outlines, matches.call.agentId !== "", outlines[place!]!),
    },
    ...others,
  };
}

function withoutTexts(message: ReadMessage): ReadMessage {
  const parts = message.parts.flatMap((part): MessagePart[] => {
    if (part.type === "result") return [{ ...part, text: "", images: [] }];
    return part.type === "call" ? [part] : [];
  });
  return { ...message, parts };
}
