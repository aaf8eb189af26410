import { Suspense } from "react";
import { taggedParts } from "../../../../src/domain/text/tagged-text.js";
import { engine } from "../../app/engine.js";
import type { ShortenedText } from "../../engine/messages/message-protocol.js";
import { isNestedTooDeep } from "../../model/text/markdown-nesting.js";
import { STRINGS } from "../../strings/strings.js";
import { lazyView } from "../parts/lazy-view.js";
import { Labelled, TextBlock } from "../texts/text-block.js";
import styles from "./message-entry.module.css";

const Markdown = lazyView(() => import("../texts/markdown.js"));
const Images = lazyView(() => import("../texts/images.js"));

const { messages: strings } = STRINGS;

/** Rendering longer Markdown would block the page. */
const MAX_MARKDOWN = 5000;

interface RecordedTextProps {
  readonly text: ShortenedText;
  readonly index: number;
  readonly which: "part" | "result";
  readonly lines?: number;
  readonly isComplete: boolean;
}

export function RecordedText({ text, index, which, lines = 24, isComplete }: RecordedTextProps) {
  const fullText = () => engine.call("messageFullText", index, which);
  return (
    <TextBlock text={text.text} length={text.length} lines={lines} full={fullText} isComplete={isComplete} />
  );
}

interface SpokenTextProps {
  readonly text: ShortenedText;
  readonly index: number;
  readonly isComplete: boolean;
}

/** A truncated text is too long for Markdown. */
export function StatementText({ text, index, isComplete }: SpokenTextProps) {
  if (text.length > text.text.length)
    return <RecordedText text={text} index={index} which="part" isComplete={isComplete} />;
  return taggedParts(text.text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and never move
    <Labelled key={at} label={part.label}>
      <SpokenText text={part.text} isComplete={isComplete} />
    </Labelled>
  ));
}

function SpokenText({ text, isComplete }: { readonly text: string; readonly isComplete: boolean }) {
  if (text.length > MAX_MARKDOWN) return <TextBlock text={text} isComplete={isComplete} />;
  if (isNestedTooDeep(text)) return <PlainText text={text} />;
  return (
    <Suspense fallback={<div className={styles.plain}>{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  );
}

function PlainText({ text }: { readonly text: string }) {
  return (
    <>
      <p className={styles.note}>{strings.plain}</p>
      <TextBlock text={text} />
    </>
  );
}

export function RecordedImages({ index }: { readonly index: number }) {
  return (
    <Suspense fallback={null}>
      <Images ask={() => engine.call("messageImages", index)} />
    </Suspense>
  );
}
