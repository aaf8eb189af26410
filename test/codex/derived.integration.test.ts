import { describe, it } from "vitest";
import { createCodexDataSource } from "../../src/codex.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import {
  HAS_HOMES,
  PAGINATED_HOMES,
  PAGINATED_UNREAD,
  realHomes,
  WITHOUT_HOMES,
} from "./support/real-homes.js";

const options = { isHistory: (file: string) => file.endsWith(".jsonl") };

describeDerivedSource(
  "CodexDataSource",
  (folder) => createCodexDataSource(folder, { threads: false }),
  realHomes().filter(({ name }) => !PAGINATED_HOMES.includes(name)),
  options,
);

describe.skipIf(HAS_HOMES)("real histories of Codex", () => {
  it.skip(`are held to the same${WITHOUT_HOMES}`, () => undefined);
});

describe("real histories of Codex", () => {
  it.skip.each(PAGINATED_HOMES)(`%s is held to the same ${PAGINATED_UNREAD}`, () => undefined);
});
