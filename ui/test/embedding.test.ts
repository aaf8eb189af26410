import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll } from "vitest";
import type { InspectorDataSource } from "../../src/index.js";
import { expectSameBytes, prepareEmbedding } from "../../test/support/embedding.js";
import { cellTests, EVERY_RUN, startEveryRun } from "../../test/support/frameworks.js";
import { HOST_PACKAGES } from "../../test/support/hosts.js";
import { describeInBrowser, open } from "./browser/browser.js";
import { row } from "./browser/page.js";

// One for all tests, because each has a thread that reads histories.
const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-"));
await prepareEmbedding(folder, HOST_PACKAGES);
const { source } = (await import(pathToFileURL(path.join(folder, "histories.mjs")).href)) as {
  readonly source: InspectorDataSource;
};
afterAll(async () => {
  await source.close?.();
  await rm(folder, { recursive: true });
});

describeInBrowser("docs/embedding.md", () => {
  cellTests(Object.keys(EVERY_RUN), "page in a browser", async (name) => {
    const mounted = await startEveryRun(folder, name, "open");
    await open(`http://127.0.0.1:${mounted.port}${mounted.path}/`);
    await row(/A title/).waitFor();
    await expectSameBytes(mounted);
  });
});
