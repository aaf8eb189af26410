import { describe, it } from "vitest";
import { createCodexDataSource } from "../../src/codex.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inTurn } from "../support/shared-histories.js";
import { HAS_HOMES, realHomes, WITHOUT_HOMES } from "./support/real-homes.js";

const options = { isHistory: (file: string) => /rollout-[^/]*\.jsonl$/.test(file) };

describeDerivedSource(
  "CodexDataSource",
  (folder) => createCodexDataSource(folder, { threads: false }),
  inTurn(realHomes(), ({ folder }) => folder),
  options,
);

describe.skipIf(HAS_HOMES)("real histories of Codex", () => {
  it.skip(`are held to the same${WITHOUT_HOMES}`, () => undefined);
});
