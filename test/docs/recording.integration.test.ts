import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { recordedIn } from "../support/recorded-frameworks.js";
import { folderWith } from "../support/snippets.js";

it("docs/recording.md records a turn with a tool, a model call and its tokens by hand", async () => {
  const document = await readFile(path.join(PROJECT_ROOT, "docs/recording.md"), "utf8");
  const folder = await folderWith(document, [], ["by-hand.mjs"]);
  await promisify(execFile)(process.execPath, ["by-hand.mjs"], { cwd: folder });
  const source = recordedIn(folder);
  const [listed] = await source.listSessions();
  expect(listed).toMatchObject({
    tenantId: "acme",
    turns: 1,
    tokens: 1208,
    model: "claude-sonnet-5",
    status: "idle",
  });
  expect(await source.loadMessages("acme", listed!.sessionId)).toHaveLength(2);
});
