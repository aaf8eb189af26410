// Generates docs/formats.md from src/adapters/formats/registry.ts: run it, after a build, when the registry changes.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const CLAIMS = [
  ["full", "everything that is known of the format is read"],
  ["basic", "conversations, calls and tokens; what is missing stands in its document"],
  ["experimental", "made by few files, perhaps shortened ones; it may be wrong"],
];

export function formatsDocument(formats) {
  const rows = formats.map(({ name, title, placeText, versions, verified, claim, document }) => [
    `\`${name}\``,
    title,
    placeText,
    versions,
    verified ?? "",
    claim,
    `[${document}](${document})`,
  ]);
  const asking = formats
    .filter(({ questions, permissions }) => questions ?? permissions)
    .map(({ title, questions = "none", permissions = "not recorded" }) => [title, questions, permissions]);
  return `# Formats

Whose histories are read. This table is made of the rows of \`src/adapters/formats/registry.ts\` by \`scripts/formats-document.mjs\`.

${table(["`--source`", "Tool", "Where", "Versions", "Verified with", "Claim", "Document"], rows)}

${table(["Claim", "Means"], CLAIMS)}

*Verified with* is the newest version whose files the reader was tried with; where files do not state one, it is empty. \`agent-inspector sources\`, and the page's view of
the sources, say which versions wrote what there is, which of them are newer, and which records nobody knows: these are shown as they are.

Besides these, [data directories](data-directory.md) of agent applications (\`data\`) and [files of OpenTelemetry's spans](frameworks.md#otlp-files) (\`otlp\`) are read. A folder is recognised by
what is in it, and so is one file of any format, wherever it lies. What holds several of them, as a home folder does, opens them all. In code, \`openHistories(name, place)\` of
\`agent-inspector/histories\` reads any of them. How a format is added is in [architecture.md](architecture.md#how-to-add-a-format).

## Who waits for a person

A session is \`waiting\` where its history says that a person was asked and has not answered ([http-api.md](http-api.md#what-the-list-says-of-a-session)). A permission that
a tool asks for on its own screen stands in few histories: such a session is \`running\` for five minutes, then \`idle\`. Histories of other tools say neither.

${table(["Tool", "A question, a plan to agree to", "A permission"], asking)}

What an application records itself is in [data-directory.md](data-directory.md#status): \`input.waiting\`, and calls of tools that are called like one of these.

## Keeping histories

Some tools delete what is old. \`agent-inspector keep --to DIR\` copies what is found, or the folders that are named, byte for byte: what sessions consist of, and what they are read with, neither
settings nor credentials. Each source has a folder in DIR, which opens as the source does, and so does DIR.

- The next time, what is new is copied. What is deleted or cut in the source meanwhile stays in the copy, and is told; of a file that is another one now, the copy of before is put into
  \`DIR/.kept/earlier\`. Nothing is deleted, and nothing is written into the source.
- A copy is written under another name, read again, and has to have the hash of what was read before it gets its own. Which files were copied is in \`DIR/.kept\`: a copying that was stopped goes on there.
- Nothing is written outside of \`DIR\`: a link inside it that leads out is not followed, and the report names it. Linux also excludes links that appear between the check and the write.
- A file of lines that is being written is copied up to its last whole line, a database together with its log, as of one moment. What changes all the while is told, and its copy of before stays.
- \`--json\` prints what was done as one document. The command ends with 1 where something could not be copied, and says why.
`;
}

function table(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  lines[1] = `|${head.map(() => "---").join("|")}|`;
  return lines.join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { HISTORY_FORMATS } = await import("../dist/src/adapters/formats/registry.js");
  writeFileSync(new URL("../docs/formats.md", import.meta.url), formatsDocument(HISTORY_FORMATS));
}
