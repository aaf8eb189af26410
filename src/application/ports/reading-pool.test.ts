import { expect, it } from "vitest";
import { ownModule } from "./reading-pool.js";

it.each([
  ["file:///app/node_modules/agent-inspector/dist/src/search/search-batch.js", true],
  ["file:///C:/src/search-batch.ts", true],
  ["file:///app/dist/server.js", false],
  ["file:///app/dist/my-search-batch.js", false],
  ["file:///app/dist/search-batch-D1f2.js", false],
  ["file:///app/search-batch.js/server.js", false],
  [undefined, false],
])("a thread may import %s as search-batch: %s", (url, isOwn) => {
  expect(ownModule(url, "search-batch")).toBe(isOwn ? url : undefined);
});
