import { Actor } from "../actor.js";
import { DAY, HOUR } from "../ago.js";
import { compact } from "../compaction.js";
import type { Story } from "../scene.js";

const MODULES = [
  "accounts",
  "billing",
  "catalog",
  "checkout",
  "inventory",
  "ledger",
  "mailer",
  "orders",
  "pricing",
  "search",
  "shipping",
  "taxes",
];
const FILES = ["index", "repository", "service"];

/** A long one: the context fills, is compacted, and fills again. */
export const migration: Story = {
  tenantId: "acme",
  agentId: "coding-agent",
  userId: "grace@acme.example",
  title: "Migrate the backend from CommonJS to ES modules",
  endedAgoMs: 1 * DAY + 4 * HOUR,
  record(scene) {
    const agent = new Actor(scene);
    agent.turn(
      "Migrate `services/` from CommonJS to ES modules, module by module. Run the tests after each one.",
      () => {
        agent.answer({
          thinking:
            "Twelve modules with three files each. I go in the order of their dependencies, so that each step stays green.",
          text: `I take the modules one by one: ${MODULES.join(", ")}.`,
          calls: [
            {
              name: "list_files",
              input: { path: "services" },
              output: MODULES.map((name) => `services/${name}/`).join("\n"),
              ms: 8,
            },
          ],
        });
        MODULES.forEach((name, index) => {
          if (agent.context.tokens > 30_000) compact(agent, summaryOf(index));
          migrate(agent, name, index);
        });
        agent.answer({
          text: `**Done**: ${MODULES.length} modules, ${MODULES.length * FILES.length} files. All tests pass.\n\n\`\`\`diff\n- const { Ledger } = require("../ledger");\n+ import { Ledger } from "../ledger/index.js";\n\`\`\``,
        });
      },
    );
    agent.wait(19 * HOUR);
    agent.turn("And `package.json`?", () => {
      agent.answer({
        calls: [
          {
            name: "edit_file",
            input: { path: "package.json", set: { type: "module" } },
            output: "1 change in package.json",
            ms: 11,
          },
        ],
      });
      agent.answer({ text: '`"type": "module"` is set.' });
    });
  },
};

function migrate(agent: Actor, name: string, index: number): void {
  const paths = FILES.map((file) => `services/${name}/${file}.js`);
  agent.answer({
    text: `Next: \`${name}\`.`,
    calls: paths.map((path, file) => ({
      name: "read_file",
      input: { path },
      output: source(name, FILES[file]!),
      ms: 7,
      tokens: 900,
    })),
  });
  for (const path of paths) {
    agent.answer({
      calls: [
        {
          name: "edit_file",
          input: { path, from: "require(", to: "import" },
          output: `4 replacements in ${path}`,
          ms: 16,
          tokens: 240,
        },
      ],
    });
  }
  const breaks = index % 5 === 3;
  agent.answer({
    calls: [
      breaks
        ? {
            name: "run",
            input: { command: `npm test -- ${name}` },
            output: `ReferenceError: __dirname is not defined in ES module scope\n    at services/${name}/index.js:9:24`,
            isError: true,
            ms: 3_100,
            tokens: 700,
          }
        : {
            name: "run",
            input: { command: `npm test -- ${name}` },
            output: `✓ ${name} (${18 + index} tests) 1.${index}s`,
            ms: 2_400,
          },
    ],
  });
  if (!breaks) return;
  agent.answer({
    thinking: "`__dirname` does not exist in an ES module; `import.meta.dirname` does.",
    calls: [
      {
        name: "edit_file",
        input: { path: paths[0], from: "__dirname", to: "import.meta.dirname" },
        output: "1 replacement",
        ms: 14,
      },
    ],
  });
  agent.answer({
    calls: [
      {
        name: "run",
        input: { command: `npm test -- ${name}` },
        output: `✓ ${name} (${18 + index} tests) 1.${index}s`,
        ms: 2_300,
      },
    ],
  });
}

function source(name: string, file: string): string {
  return `const path = require("node:path");\nconst { connect } = require("../database");\n\nmodule.exports.${name}${file} = async function () {\n  const rows = await connect().query("select * from ${name}");\n  return rows.map(toRecord);\n};\n// … 112 more lines`;
}

function summaryOf(done: number): string {
  return `Task: migrate services/ to ES modules, module by module, tests after each.\nDone and green: ${MODULES.slice(0, done).join(", ")}.\nLeft: ${MODULES.slice(done).join(", ")}.\nLearned: replace __dirname by import.meta.dirname; relative imports need their .js ending.`;
}
