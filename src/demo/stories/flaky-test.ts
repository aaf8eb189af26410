import { Actor } from "../actor.js";
import { MINUTE } from "../ago.js";
import type { Story } from "../scene.js";

/** A coding agent finds a bug, mends it and proves it, in one turn. */
export const flakyTest: Story = {
  tenantId: "acme",
  agentId: "coding-agent",
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
          { name: "read_file", input: { path: "src/billing/invoice.test.ts" }, output: INVOICE_TEST, ms: 12 },
          { name: "read_file", input: { path: "src/billing/invoice.ts" }, output: INVOICE, ms: 9 },
        ],
      });
      agent.answer({
        thinking:
          "`dueDate` is computed from `new Date()` twice: once for `issuedAt`, once for `due`. Around midnight UTC the two fall on different days. CI runs at all hours, my reader's laptop does not.",
        text: "`createInvoice` reads the clock twice. When midnight falls between the two reads, `due` is 31 days after `issuedAt`. I read it once and pass it on.",
        calls: [
          {
            name: "edit_file",
            input: {
              path: "src/billing/invoice.ts",
              old: "issuedAt: new Date(), due: addDays(new Date(), 30)",
              new: "issuedAt: now, due: addDays(now, 30)",
            },
            output: "1 replacement in src/billing/invoice.ts",
            ms: 18,
          },
        ],
      });
      agent.answer({
        calls: [
          {
            name: "run",
            input: { command: "npx vitest run src/billing --repeat 200" },
            output:
              "✓ src/billing/invoice.test.ts (1600 tests) 4.21s\n\nTest Files  1 passed (1)\n     Tests  1600 passed (1600)",
            ms: 5_870,
          },
        ],
      });
      agent.answer({
        text: "**Fixed.** `createInvoice` read the clock twice, so an invoice made at midnight UTC was due a day late.\n\n- `now` is now read once and passed to both fields.\n- 200 repetitions pass (1,600 tests).\n\nThe same pattern is in `src/billing/reminder.ts:41`; shall I change it too?",
      });
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
  return { id: nextInvoiceId(),
    ...order,
    issuedAt: new Date(), due: addDays(new Date(), 30),
    totalCents: order.lines.reduce((sum, line) => sum + line.cents, 0),
  };
}
`;
