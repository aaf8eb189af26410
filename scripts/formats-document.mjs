// Generates docs/formats.md from src/adapters/formats/registry.ts: run it, after a build, when the registry changes.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const CLAIMS = [
  ["full", "all documented parts of the format are read"],
  ["basic", "conversations, calls and tokens; its document lists the missing parts"],
  ["experimental", "tested with few files, perhaps shortened ones; it may be wrong"],
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

\`\`\`sh
npx agent-inspector                                  # all histories on this machine
npx agent-inspector ./folder                         # its content selects the format
npx agent-inspector --source claude-code ./folder    # one format
\`\`\`

\`scripts/formats-document.mjs\` generates this page from \`src/adapters/formats/registry.ts\`.

${table(["`--source`", "Tool", "Where", "Versions", "Verified with", "Claim", "Document"], rows)}

${table(["Claim", "Means"], CLAIMS)}

*Verified with* is the newest version with which the reader was tested. It is empty if files do not state a version.
\`agent-inspector sources\`, and the view of sources in the page, list the versions that wrote your histories, and records of
unknown types, which are displayed unchanged ([sources](sources.md)).

Also supported are [data directories](data-directory.md) of agent applications (\`data\`) and
[files of OpenTelemetry spans](frameworks.md#otlp-files) (\`otlp\`). The content identifies a folder, and also a single file in any
location. A folder with several formats, such as a home folder, opens all of them. In code, \`openHistories(name, path)\` of
\`agent-inspector/histories\` reads any of them. [architecture.md](architecture.md#how-to-add-a-format) describes how to add a format,
and [custom-formats.md](custom-formats.md) how to read the histories of another tool without a change here.

## Who waits for a person

A session is \`waiting\` if its history has a question to a person without an answer
([http-api.md](http-api.md#what-the-list-says-of-a-session)). Few histories record the permissions that a tool requests on its own
screen. Without a record, such a session is \`running\`, and \`stalled\` or \`stopped\` after some minutes. Histories of
tools outside this table record neither.

${table(["Tool", "A question, a plan to agree to", "A permission"], asking)}

Applications record \`input.waiting\`, or calls of tools with one of these names ([data-directory.md](data-directory.md#status)).

## Keeping histories

Some tools delete old sessions. This command copies all detected histories, or the folders in its arguments, byte for byte:

\`\`\`sh
npx agent-inspector keep --to DIR
\`\`\`

It copies sessions and the files that are needed to read them, but neither settings nor credentials. Each source has a folder in
DIR. Each of these folders opens like its source, and so does DIR.

- The next run copies additions. Sessions that were deleted or cut in the source stay in the copy, and are reported. If a file was
  replaced, its previous copy moves to \`DIR/.kept/earlier\`. Nothing is deleted, and nothing is written into the source.
- A copy is written under a temporary name and read again. It gets its name only if its hash matches. \`DIR/.kept\` lists the
  copied files: an interrupted run resumes there.
- Nothing is written outside of \`DIR\`. A link inside that leads out is not followed, and the report names it. Linux also excludes
  links that appear between the check and the write.
- A file of lines is copied up to its last complete line, and a database together with its log, as of one moment. A file that
  changes during all attempts is reported, and its previous copy stays.
- \`--json\` prints the report as one document. The command ends with 2 if a file could not be copied, and prints the reason.
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
