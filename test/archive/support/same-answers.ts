import { expect } from "vitest";
import { openArchive } from "../../../src/adapters/archive/archive-source.js";
import type { InspectorDataSource } from "../../../src/index.js";
import { archiveOf, linesOf } from "../../support/archive.js";
import { answersOf } from "../../support/inspector-answers.js";

/** Closes the source. */
export async function expectSameAnswers(source: InspectorDataSource): Promise<void> {
  try {
    const { source: opened } = await openArchive(linesOf(await archiveOf(source)));
    const expected = await answersOf(source);
    const answers = await answersOf(opened);
    const others = [...expected].filter(([question, answer]) => answers.get(question) !== answer);
    expect(
      others.map(([question, answer]) => firstDifference(question, answer, answers.get(question))),
    ).toEqual([]);
    expect(answers.size).toBe(expected.size);
  } finally {
    await source.close?.();
  }
}

function firstDifference(question: string, expected: string, answer: string = "") {
  const first = [...expected].findIndex((character, i) => character !== answer[i]);
  const at = first === -1 ? expected.length : first;
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 80);
  return { question, expected: around(expected), answer: around(answer) };
}
