import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { createHistoriesDataSource } from "../../src/histories.js";
import { PROJECT_ROOT } from "../support/build.js";
import { folderWith } from "../support/snippets.js";

it("the example of docs/custom-formats.md reads the histories beside it", async () => {
  const document = await readFile(path.join(PROJECT_ROOT, "docs/custom-formats.md"), "utf8");
  const folder = await folderWith(document, [], ["quill-format.mjs"]);
  await writeFile(path.join(folder, "apples.quill.jsonl"), /```json\n([\s\S]*?)```/.exec(document)![1]!);
  const formats = [pathToFileURL(path.join(folder, "quill-format.mjs"))];
  const source = await createHistoriesDataSource({ folder, formats });
  const [session, ...others] = await source.listSessions();
  expect(others).toEqual([]);
  expect(session).toMatchObject({
    tenantId: "-srv-shop",
    sessionId: "apples",
    turns: 1,
    tokens: 134,
    model: "quill-1",
  });
  expect(await source.loadMessages("-srv-shop", "apples")).toEqual([
    { role: "user", content: "Count the apples." },
    { role: "assistant", content: "Seven." },
  ]);
  await source.close?.();
});
