import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll } from "vitest";
import type { InspectorDataSource } from "../../src/index.js";
import { prepareEmbedding } from "../../test/support/embedding.js";
import { cellTests, EVERY_RUN, startEveryRun } from "../../test/support/frameworks.js";
import { HOST_PACKAGES } from "../../test/support/hosts.js";
import { sized } from "../../test/support/soak.js";
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

/** Hono alone each day: `test/docs/embedding.integration.test.ts` compares the bytes that the others send. */
const NAMES = Object.keys(EVERY_RUN).slice(0, sized(1, Object.keys(EVERY_RUN).length));

describeInBrowser("docs/embedding.md", () => {
  cellTests(NAMES, "page in a browser", async (name) => {
    const mounted = await startEveryRun(folder, name, "open");
    await open(`http://127.0.0.1:${mounted.port}${mounted.path}/`);
    await row(/A title/).waitFor();
  });
});
