import { Actor, call, type ScriptedCall, use } from "../actor.js";
import { DAY, HOUR, MINUTE, type Story } from "../scene.js";
import { type Delegation, delegation } from "../sub-agent.js";

const coding = { tenantId: "acme", agentId: "coding-agent" } as const;

export const flakyTest: Story = {
  ...coding,
  userId: "ada@acme.example",
  title: "Fix the flaky invoice test",
  endedAgoMs: 14 * MINUTE,
  record(scene) {
    const agent = new Actor(scene);
    agent.turn("`invoice.test.ts` fails about one run in ten on CI. Find out why and fix it.", () => {
      agent.answer({
        thinking:
          "A test that fails sometimes usually depends on time, order or the network. I read the test first, then what it tests.",
        text: "I look at the test and at the code it exercises.",
        calls: [
          call("read_file", { path: "src/billing/invoice.test.ts" }, INVOICE_TEST, 12),
          call("read_file", { path: "src/billing/invoice.ts" }, INVOICE, 9),
        ],
      });
      agent.answer({
        thinking:
          "`dueDate` is computed from `new Date()` twice: once for `issuedAt`, once for `due`. Around midnight UTC the two fall on different days. CI runs at all hours, my reader's laptop does not.",
        text: "`createInvoice` reads the clock twice. When midnight falls between the two reads, `due` is 31 days after `issuedAt`. I read it once and pass it on.",
        calls: [
          call(
            "edit_file",
            {
              path: "src/billing/invoice.ts",
              old: "issuedAt: new Date(), due: addDays(new Date(), 30)",
              new: "issuedAt: now, due: addDays(now, 30)",
            },
            "1 replacement in src/billing/invoice.ts",
            18,
          ),
        ],
      });
      agent.answer(
        use(
          "run",
          { command: "npx vitest run src/billing --repeat 200" },
          "✓ src/billing/invoice.test.ts (1600 tests) 4.21s\n\nTest Files  1 passed (1)\n     Tests  1600 passed (1600)",
          5_870,
        ),
      );
      agent.answer(
        "**Fixed.** `createInvoice` read the clock twice, so an invoice made at midnight UTC was due a day late.\n\n- `now` is now read once and passed to both fields.\n- 200 repetitions pass (1,600 tests).\n\nThe same pattern is in `src/billing/reminder.ts:41`; shall I change it too?",
      );
    });
  },
};

const INVOICE_TEST = `import { expect, it } from "vitest";
import { createInvoice } from "./invoice.js";

it("is due 30 days after it was issued", () => {
  const invoice = createInvoice({ customer: "c_81", lines: [{ text: "Seat", cents: 1900 }] });
  expect(daysBetween(invoice.issuedAt, invoice.due)).toBe(30);
});
`;

const INVOICE = `export function createInvoice(order: Order, now = new Date()): Invoice {
  return {
    id: nextInvoiceId(),
    ...order,
    issuedAt: new Date(), due: addDays(new Date(), 30),
    totalCents: order.lines.reduce((sum, line) => sum + line.cents, 0),
  };
}
`;

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

/** The context fills, is compacted, and fills again. */
export const migration: Story = {
  ...coding,
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
            call(
              "list_files",
              { path: "services" },
              MODULES.map((name) => `services/${name}/`).join("\n"),
              8,
            ),
          ],
        });
        MODULES.forEach((name, index) => {
          if (agent.context.tokens > 30_000) agent.compact(summaryOf(index));
          migrate(agent, name, index);
        });
        agent.answer(
          `**Done**: ${MODULES.length} modules, ${MODULES.length * FILES.length} files. All tests pass.\n\n\`\`\`diff\n- const { Ledger } = require("../ledger");\n+ import { Ledger } from "../ledger/index.js";\n\`\`\``,
        );
      },
    );
    agent.wait(19 * HOUR);
    agent.turn("And `package.json`?", () => {
      agent.answer(
        use("edit_file", { path: "package.json", set: { type: "module" } }, "1 change in package.json", 11),
      );
      agent.answer('`"type": "module"` is set.');
    });
  },
};

function migrate(agent: Actor, name: string, index: number): void {
  const paths = FILES.map((file) => `services/${name}/${file}.js`);
  const tests = { command: `npm test -- ${name}` };
  const passed = `✓ ${name} (${18 + index} tests) 1.${index}s`;
  agent.answer({
    text: `Next: \`${name}\`.`,
    calls: paths.map((path, file) =>
      call("read_file", { path }, source(name, FILES[file]!), 7, { tokens: 900 }),
    ),
  });
  for (const path of paths) {
    const input = { path, from: "require(", to: "import" };
    agent.answer(use("edit_file", input, `4 replacements in ${path}`, 16, { tokens: 240 }));
  }
  const breaks = index % 5 === 3;
  if (!breaks) {
    agent.answer(use("run", tests, passed, 2_400));
    return;
  }
  const failed = `ReferenceError: __dirname is not defined in ES module scope\n    at services/${name}/index.js:9:24`;
  agent.answer(use("run", tests, failed, 3_100, { isError: true, tokens: 700 }));
  const input = { path: paths[0], from: "__dirname", to: "import.meta.dirname" };
  agent.answer({
    thinking: "`__dirname` does not exist in an ES module; `import.meta.dirname` does.",
    calls: [call("edit_file", input, "1 replacement", 14)],
  });
  agent.answer(use("run", tests, passed, 2_300));
}

function source(name: string, file: string): string {
  return `const path = require("node:path");\nconst { connect } = require("../database");\n\nmodule.exports.${name}${file} = async function () {\n  const rows = await connect().query("select * from ${name}");\n  return rows.map(toRecord);\n};\n// … 112 more lines`;
}

function summaryOf(done: number): string {
  return `Task: migrate services/ to ES modules, module by module, tests after each.\nDone and green: ${MODULES.slice(0, done).join(", ")}.\nLeft: ${MODULES.slice(done).join(", ")}.\nLearned: replace __dirname by import.meta.dirname; relative imports need their .js ending.`;
}

export const review: Story = {
  ...coding,
  userId: "grace@acme.example",
  title: "Review pull request 812: new session store",
  endedAgoMs: 6 * HOUR,
  record(scene) {
    const lead = new Actor(scene);
    lead.turn("Review pull request 812. Security and correctness first.", () => {
      lead.answer(
        use(
          "run",
          { command: "git diff main...pr-812 --stat" },
          " src/store.ts | 214 +++++++\n src/lock.ts  |  38 ++\n 2 files changed, 252 insertions(+)",
          95,
        ),
      );
      lead.answer({
        text: "Four reviewers, each with one question.",
        calls: [security(), correctness(), performance(), style()],
      });
      lead.answer(
        "## Review of #812\n\n- **Must change**: `store.ts:88` joins a session id from the request into a path.\n- **Must change**: `lock.ts:21` releases the lock before the rename.\n- Performance was not measured: the benchmark needs a database that this machine does not have.",
      );
    });
  },
};

function reviewer(
  name: string,
  task: string,
  act: Delegation["act"],
  ending: Pick<Delegation, "outcome" | "error"> = {},
): ScriptedCall {
  const named = { agentId: `reviewer-${name}`, role: "reviewer", displayName: `Reviewer (${name})` };
  return delegation({ ...named, task, act, ...ending });
}

function security(): ScriptedCall {
  return reviewer("security", "Which input reaches the file system?", (agent) => {
    agent.answer(
      use(
        "read_file",
        { path: "src/store.ts", from: 70, to: 110 },
        "88  const folder = path.join(root, request.params.sessionId);\n89  await mkdir(folder, { recursive: true });",
        9,
        { tokens: 1_200 },
      ),
    );
    return agent.answer({
      thinking: "The id comes from the request and is not checked anywhere on its way.",
      text: "`store.ts:88`: a session id of `../../etc` leaves the folder.",
    });
  });
}

function correctness(): ScriptedCall {
  return reviewer("correctness", "Can two writers lose a record?", (agent) => {
    const lock = "19  await write(temporary, text);\n20  lock.release();\n21  await rename(temporary, file);";
    agent.answer(use("read_file", { path: "src/lock.ts" }, lock, 8, { tokens: 640 }));
    const command = "npx vitest run lock --repeat 500";
    agent.answer(use("run", { command }, "✗ 3 of 500 runs lost a record", 9_400, { isError: true }));
    return agent.answer("Yes, 3 of 500 runs: the lock is released before the rename (`lock.ts:20`).");
  });
}

function performance(): ScriptedCall {
  const error = "connect ECONNREFUSED 127.0.0.1:5432";
  const act = (agent: Actor) => {
    agent.answer(use("run", { command: "npm run bench" }, `Error: ${error}`, 1_900, { isError: true }));
    agent.answer("The benchmark needs a database that does not run here.");
    return "";
  };
  return reviewer("performance", "Is it slower than the old store?", act, { outcome: "failed", error });
}

function style(): ScriptedCall {
  const command = "npx biome check src/store.ts";
  return reviewer(
    "style",
    "Does it follow the house style?",
    (agent) => agent.answer(use("run", { command }, "Checked 1 file. No fixes applied.", 420)),
    { outcome: "cancelled", error: "Called off: the other findings come first" },
  );
}
