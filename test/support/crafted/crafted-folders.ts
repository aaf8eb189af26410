import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ATIF_TASKS } from "../../../src/adapters/formats/atif/atif-format.js";
import { CODEX_TASKS } from "../../../src/adapters/formats/codex/codex-format.js";
import { GEMINI_CLI_TASKS } from "../../../src/adapters/formats/gemini-cli/gemini-cli-format.js";
import { INSPECT_TASKS } from "../../../src/adapters/formats/inspect/inspect-format.js";
import { OPENCODE_TASKS } from "../../../src/adapters/formats/opencode/opencode-format.js";
import { TranscriptDataSource } from "../../../src/adapters/transcripts/source/transcript-data-source.js";
import * as atif from "../../atif/support/histories.js";
import * as codex from "../../codex/support/homes.js";
import * as gemini from "../../gemini-cli/support/homes.js";
import * as inspect from "../../inspect/support/logs.js";
import { HistoryDatabase } from "../../opencode/support/databases.js";
import { CRAFTED_ARCHIVES } from "./archives.js";
import { type CraftedFolder, GOOD } from "./crafted-folder.js";
import { CRAFTED_DATABASES } from "./databases.js";
import { CRAFTED_DOCUMENTS } from "./documents.js";

export const CRAFTED_FOLDERS = [...CRAFTED_DATABASES, ...CRAFTED_DOCUMENTS, ...CRAFTED_ARCHIVES];

const FILES: Readonly<
  Record<Exclude<CraftedFolder["format"], "opencode">, readonly [string, () => string | Buffer]>
> = {
  atif: ["good.json", () => atif.text(atif.trajectory(GOOD, [atif.user(1, "Go."), atif.agent(2, "Done.")]))],
  codex: [
    codex.rolloutOf(GOOD),
    () => codex.lines([codex.meta(GOOD), ...codex.prompted("Go."), codex.said("assistant", "Done.")]),
  ],
  "gemini-cli": [
    "tmp/shop/chats/session-2026-05-01T08-00-good0000.json",
    () => gemini.document(gemini.header(GOOD), [gemini.user("u", 1, "Go."), gemini.gemini("g", 2, "Done.")]),
  ],
  inspect: [
    "good.eval",
    () =>
      inspect.log([
        inspect.sample(GOOD, [inspect.model(1, [inspect.user("Go.")], inspect.assistant("Done."))]),
      ]),
  ],
};

export function writeGoodSession(folder: string, format: CraftedFolder["format"]): void {
  if (format === "opencode") {
    const history = new HistoryDatabase(path.join(folder, "opencode.db"));
    history.session(GOOD);
    history.prompt(GOOD, 1, "Go.");
    history.answer(GOOD, 2, [{ type: "text", text: "Done." }]);
    return history.close();
  }
  const [name, content] = FILES[format];
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content());
}

const TASKS = {
  atif: ATIF_TASKS,
  codex: CODEX_TASKS,
  "gemini-cli": GEMINI_CLI_TASKS,
  inspect: INSPECT_TASKS,
  opencode: OPENCODE_TASKS,
};

export async function listed(folder: string, format: CraftedFolder["format"]) {
  const source = new TranscriptDataSource(folder, TASKS[format], { threads: false });
  const { items, warnings = [] } = await source.findSessions({});
  await source.close();
  return {
    good: items.find(({ sessionId }) => sessionId === GOOD),
    warnings: warnings.map(({ file, reason }) => `${file} ${reason}`),
  };
}
