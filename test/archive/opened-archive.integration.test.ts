import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/composition/filesystem-data-source.js";
import { createFilesystemSessionStore } from "../../src/composition/filesystem-session-store.js";
import { startDemo } from "../../src/demo/write-demo.js";
import { expectSameAnswers } from "./support/same-answers.js";

test("an opened archive answers everything as the data directory of the demo did", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-archive-"));
  const store = createFilesystemSessionStore(folder);
  const live = await startDemo(store);
  await live.stop();
  await store.close?.();
  try {
    await expectSameAnswers(createFilesystemInspectorDataSource(folder, { threads: false }));
  } finally {
    await rm(folder, { recursive: true });
  }
});
