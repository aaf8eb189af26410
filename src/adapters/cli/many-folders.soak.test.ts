import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { lines, newProjects, userRecord } from "../../../test/claude-code/support/projects.js";
import { supportedSources } from "../../composition/command-line-parts.js";
import { placesOf } from "./opening/place-sources.js";

it("A folder that is named tells that it holds more folders than are looked into", async () => {
  const record = userRecord(1, 0, "Hi.", { sessionId: "s", isSidechain: false });
  const root = await newProjects({ "000/-work-shop/s.jsonl": lines(record) });
  for (let i = 1; i < 301; i++) await mkdir(path.join(root, String(i).padStart(3, "0")));
  const { histories: places, leftOut } = await placesOf(root, supportedSources());
  expect(places.map(({ kind, folder }) => [kind.name, folder])).toEqual([
    ["claude-code", path.join(root, "000")],
  ]);
  expect(leftOut).toEqual([`"${root}" exceeds the limit of searched folders.`]);
});
