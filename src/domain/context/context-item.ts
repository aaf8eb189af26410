import type { MessageOrigin, MessageOutline, ReadMessage } from "../conversation/conversation.js";
import { imageFacts } from "../conversation/images.js";
import { type MessagePart, partText } from "../conversation/message-part.js";
import { isJsonObject } from "../json/json.js";
import { compareText } from "../lists/compare-text.js";
import { hash53 } from "../text/fingerprints.js";
import { previewText } from "../text/preview-text.js";
import { estimateTokens } from "../usage/token-counts.js";

export interface ContextItem {
  readonly origin: MessageOrigin;
  readonly part: MessagePart["type"];
  /** In the conversation; below 0 for a message that only a call records. */
  readonly messageIndex: number;
  /** For a tool call and its result; otherwise `""`. */
  readonly toolCallId: string;
  /** For a tool call; otherwise `""`. */
  readonly toolName: string;
  readonly partIndex: number;
  /** Equal for equal contents, in any vendor's shape. */
  readonly hash: number;
  /** In tokens, not scaled to the vendor's counts. */
  readonly estimate: number;
  /** Start of the text, in one line. */
  readonly text: string;
}

export interface ItemisedMessage extends MessageOutline {
  readonly items: readonly ContextItem[];
  readonly replacement: readonly ItemisedMessage[] | undefined;
}

export interface ItemReading {
  readonly line: number;
  /** The part of a text that is equal in equal items; `""` for an empty text. */
  readonly comparableText: (text: string, isResult?: boolean) => string;
  readonly visibleOf: (text: string) => string;
}

export const AS_STORED: ItemReading = {
  line: 100,
  comparableText: (text) => text.trim(),
  visibleOf: (text) => text,
};

export function itemisedMessage(message: ReadMessage, reading: ItemReading): ItemisedMessage {
  const { index, origin, answerId, isItem, replacement, parts, size, results } = message;
  return {
    index,
    origin,
    answerId,
    isItem,
    size,
    results,
    replacement: replacement?.map((one) => itemisedMessage(one, reading)),
    items: parts.map((part, partIndex) => itemOf(part, partIndex, message, reading)),
  };
}

function itemOf(
  part: MessagePart,
  partIndex: number,
  { index, origin: speaker }: ReadMessage,
  { line, comparableText, visibleOf }: ItemReading,
): ContextItem {
  const origin = part.type === "result" && speaker === "assistant" ? "tool" : speaker;
  const text = part.type === "call" ? `${part.name} ${inputText(part.input)}` : partText(part);
  const images = part.type === "result" ? part.images : part.type === "image" ? [part.source] : [];
  const textHash = comparableText(text, part.type === "result");
  const imageTokens = images.reduce((tokens, source) => tokens + tokensOfImage(source), 0);
  return {
    origin,
    part: part.type,
    messageIndex: index,
    partIndex,
    toolName: part.type === "call" ? part.name : "",
    toolCallId: part.type === "call" || part.type === "result" ? part.callId : "",
    hash: hash53(`${origin}\n${part.type}\n${textHash}\n${images.join("\n")}`),
    estimate: estimateTokens(text.length) + imageTokens,
    text: textHash === "" ? "" : previewText(visibleOf(text), line),
  };
}

/** Normal form: members sorted by name. */
export function inputText(input: unknown): string {
  return typeof input === "string" ? input : (JSON.stringify(input, sortedMembers) ?? "");
}

function sortedMembers(_: string, value: unknown): unknown {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)))
    : value;
}

/** Pixels a token: https://docs.anthropic.com/en/docs/build-with-claude/vision#calculate-image-costs */
const PIXELS_A_TOKEN = 750;
/** Larger images are scaled down before a model reads them. */
const MOST_IMAGE_TOKENS = 1_600;

/** By pixels, not by base64; the largest size without pixels. */
function tokensOfImage(source: string): number {
  const facts = imageFacts(source);
  const { width, height } = facts.type === "elsewhere" ? { width: undefined, height: undefined } : facts;
  if (width === undefined || height === undefined) return MOST_IMAGE_TOKENS;
  return Math.min(MOST_IMAGE_TOKENS, Math.ceil((width * height) / PIXELS_A_TOKEN));
}
