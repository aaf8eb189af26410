import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openArchive } from "../../src/adapters/archive/archive-source.js";
import { createFilesystemInspectorDataSource } from "../../src/composition/filesystem-data-source.js";
import { createFilesystemSessionStore } from "../../src/composition/filesystem-session-store.js";
import { openHistories } from "../../src/composition/open-histories.js";
import { createOtlpDataSource } from "../../src/composition/otlp-data-source.js";
import { startDemo } from "../../src/demo/write-demo.js";
import type { InspectorDataSource } from "../../src/index.js";
import { archiveOf, linesOf } from "../support/archive.js";
import { answersOf } from "../support/inspector-answers.js";
import { HAS_SHARED_DATA, SHARED_DATA, WITHOUT_SHARED_DATA } from "../support/shared-histories.js";
import { sized } from "../support/soak.js";

const inShared = (place: string) => path.join(SHARED_DATA, place);

/** A thread that begins loads all modules once more, and answers the same. */
const IN_PROCESS = { threads: false } as const;

const SOURCES: Readonly<Record<string, () => InspectorDataSource | Promise<InspectorDataSource>>> = {
  "Claude Code": () => openHistories("claude-code", inShared("claude-code/run-2.1.331/projects"), IN_PROCESS),
  Codex: () =>
    openHistories("codex", inShared(sized("codex/codexbar-fork", "codex/cyspbot/sessions")), IN_PROCESS),
  OpenTelemetry: () => createOtlpDataSource({ directory: inShared("otlp/kagua"), ...IN_PROCESS }),
};

test("an opened archive answers everything as the data directory of the demo did", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-archive-"));
  const store = createFilesystemSessionStore(folder);
  const live = await startDemo(store);
  await live.stop();
  await store.close?.();
  try {
    await expectSameAnswers(createFilesystemInspectorDataSource(folder, IN_PROCESS));
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe.runIf(HAS_SHARED_DATA)(`an opened archive${WITHOUT_SHARED_DATA}`, () => {
  test.each(Object.entries(SOURCES))("answers everything as %s did", async (_name, open) => {
    await expectSameAnswers(await open());
  });
});

async function expectSameAnswers(source: InspectorDataSource): Promise<void> {
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
