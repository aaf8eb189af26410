import type { Span } from "../../../../src/domain/spans/span.js";
import { newSubject, type Subject } from "../../../../src/domain/text/subject.js";

const MAX_TOOLS = 4;

/** The first line of text, else called tools, else thinking, else the content of the call's own events. */
export function answerSubject({ start, end, children, calls }: Span): Subject {
  const texts = children.filter(({ kind }) => kind === "text");
  const text = texts.find((child) => child.start.type !== "thinking" && !child.start.isEmpty);
  const own = end === undefined || end === start ? undefined : end.subject;
  if (text !== undefined) return firstLine(text.start.subject);
  if (own !== undefined && own.text !== "") return firstLine(own);
  if (calls !== undefined) return newSubject(`→ ${toolCounts(calls)}`);
  const thought = texts.find((child) => !child.start.isEmpty);
  return thought === undefined ? start.subject : firstLine(thought.start.subject);
}

/** @example toolCounts([read, bash, read]) // "Read ×2, Bash" */
function toolCounts(calls: readonly Span[]): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name || "?", (counts.get(name || "?") ?? 0) + 1);
  const counted = [...counts]
    .slice(0, MAX_TOOLS)
    .map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
  return `${counted.join(", ")}${counts.size > MAX_TOOLS ? ", …" : ""}`;
}

function firstLine(subject: Subject): Subject {
  const end = subject.text.indexOf("\n");
  return end === -1 ? subject : { ...subject, text: subject.text.slice(0, end) };
}
