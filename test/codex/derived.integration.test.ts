import { createCodexDataSource } from "../../src/codex.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inTurn } from "../support/shared-histories.js";
import { allHomes } from "./support/real-homes.js";

const options = { isHistory: (file: string) => /rollout-[^/]*\.jsonl$/.test(file) };

describeDerivedSource(
  "CodexDataSource",
  (folder) => createCodexDataSource(folder, { threads: false }),
  inTurn(allHomes(), ({ folder }) => folder),
  options,
);
