import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { listSources } from "../support/list-sources.js";
import { allProjects } from "./support/all-projects.js";
import { openHistories } from "./support/projects.js";

function countedIn(root: string) {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(root, name))
    .filter((file) => file.endsWith(".jsonl"));
  const versions = new Set<string>();
  const unknown = new Map<string, number>();
  for (const file of files) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const found = /"version":\s*"([^"]+)"/.exec(line);
      if (found !== null) versions.add(found[1]!);
      const type =
        /^\{"type":"(frame-link|tool_use|tool_result)"|"type":"(frame-link|tool_use|tool_result)","/.exec(
          line,
        );
      if (type !== null && !line.includes('"message":{')) {
        const name = (type[1] ?? type[2])!;
        unknown.set(name, (unknown.get(name) ?? 0) + 1);
      }
    }
  }
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { files: files.length, bytes, versions: [...versions].sort(), unknown };
}

describe("the sources of histories", () => {
  it.each(allProjects())(
    "of %s have the files, versions and unknown records that lie there",
    async (_, root) => {
      const { sources } = await listSources(openHistories(root));
      const [report] = sources;
      const counted = countedIn(root);
      expect(report).toMatchObject({ files: counted.files, bytes: counted.bytes, isComplete: true });
      expect(report!.versions.map(({ version }) => version).sort()).toEqual(counted.versions);
      expect(new Map(report!.unknownRecords.map(({ type, records }) => [type, records]))).toEqual(
        counted.unknown,
      );
      expect(report!.gone).toEqual([]);
    },
  );
});
