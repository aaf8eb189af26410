import path from "node:path";
import type { Locator } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { createInMemoryInspectorDataSource, SessionRecorder } from "../../src/advanced.js";
import { writeDemo } from "../../src/demo/write-demo.js";
import { combineDataSources } from "../../src/index.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { details, hash, row, selectedRow, settled } from "./browser/page.js";
import { comparedRuns } from "./fixtures/compared-runs.js";
import { checkoutSession } from "./fixtures/histories.js";
import { stuckSession } from "./fixtures/live-sessions.js";
import { serveSource } from "./fixtures/serve-app.js";

/** Limit for each question; a step is a click or a key, and typed words are one. */
const MOST_STEPS = 3;

describeInBrowser("a person's questions", () => {
  const store = createInMemoryInspectorDataSource([...comparedRuns(), checkoutSession(), stuckSession()]);
  let steps = 0;

  beforeAll(() => writeDemo((clock) => new SessionRecorder(store.sessionStore, { clock }), Date.now()));
  const server = serveSource(() =>
    combineDataSources([
      { key: "app", name: "App", source: store },
      {
        key: "spans",
        name: "Spans",
        source: createOtlpDataSource({
          directory: path.resolve(import.meta.dirname, "../../test/otlp/fixtures"),
          threads: false,
        }),
      },
    ]),
  );
  const open = async (address: string) => {
    await server.open(address, { width: 1440, height: 900, fresh: true });
    await page.getByRole("banner").waitFor();
    await settled();
    steps = 0;
  };
  const press = async (key: string) => {
    steps++;
    await page.keyboard.press(key);
    await settled();
  };
  const click = async (where: Locator) => {
    steps++;
    await where.first().click();
    await settled();
  };
  const type = async (words: string) => {
    steps++;
    await page.keyboard.type(words);
    await settled();
  };
  const session = (title: string) => page.getByRole("link", { name: title, exact: true });
  const answered = async (answer: Locator, inSteps: number) => {
    await answer.first().waitFor();
    expect(steps).toBe(inSteps);
    expect(inSteps).toBeLessThanOrEqual(MOST_STEPS);
  };

  beforeEach(() => open("#/"));

  it("What did the last month cost, and which model most of it?", async () => {
    await press("0");
    await click(page.getByRole("button", { name: "30 d" }));
    const models = page
      .getByRole("table", { name: "Models" })
      .or(page.getByRole("region", { name: "Models" }));
    await answered(models.getByRole("row", { name: /\$/ }).nth(1), 2);
  });

  it("Where did it fail, and did the agent go on?", async () => {
    await click(session("Generate release notes for 4.2"));
    const causes = page.getByText(/^4 errors, \d causes?$/);
    await causes.first().waitFor();
    await click(page.getByRole("region", { name: "What went wrong" }).getByRole("link"));
    await answered(selectedRow().filter({ hasText: "✕" }), 2);
  });

  it("What filled the context?", async () => {
    await click(session("Migrate the backend from CommonJS to ES modules"));
    const usage = page.getByRole("table", { name: "Context usage" });
    await answered(usage.locator("tbody tr").first().filter({ hasText: "System prompt" }), 1);
  });

  it("What did the compaction drop, and was it read again?", async () => {
    await click(session("Make the checkout tests pass"));
    await press("4");
    await click(page.getByRole("button", { name: /compaction/i }));
    await answered(page.getByText(/\d+ messages?, .* dropped/), 3);
  });

  it("What did a sub-agent know?", async () => {
    await click(session("Review pull request 812: new session store"));
    await press("2");
    await click(row(/reviewer/).nth(1));
    await answered(details().getByText(/Which input reaches|Can two writers|Does it follow|Is it slower/), 3);
  });

  it("Who edited this file, and what did they see?", async () => {
    await press("/");
    await type("services/ledger/index.js");
    await click(page.locator("a", { hasText: "services/ledger/index.js" }));
    await answered(details().getByRole("link", { name: "Context at this call" }), 3);
  });

  it("Why did this run fail, and that one not?", async () => {
    await click(session("Mend the cart, the bad run"));
    await press("c");
    await click(page.getByRole("link", { name: /Mend the cart, the good run/ }));
    await answered(page.getByText(/\d+ divergences?/), 3);
  });

  it("Is it stuck?", async () => {
    await click(session("Mend the build"));
    await answered(page.getByText(/^(Stalled|Running|Waiting|Looping)/), 1);
  });

  it("Who waited for whom?", async () => {
    await click(session("Review pull request 812: new session store"));
    await press("2");
    await answered(page.getByText(/waited .* for/), 2);
  });

  it("Share it", async () => {
    await click(session("Generate release notes for 4.2"));
    await click(page.getByRole("button", { name: "Share" }));
    await page.getByText(/values? (is|are) removed|No secret or personal data/).waitFor();
    await click(page.getByRole("button", { name: "Download" }));
    await answered(page.getByText("The download has begun"), 3);
  });

  it("Hand it to an agent: a prompt without what is secret", async () => {
    await click(session("Generate release notes for 4.2"));
    await press("y");
    await answered(page.getByText(/^Copied for an agent/), 2);
  });

  it("What did a framework's run do?", async () => {
    const run = page.getByRole("row", { name: /Spans/ }).getByRole("link");
    await click(run);
    await press("1");
    await answered(row(/model-1/), 2);
  });

  it("Which sessions failed in one tool? One filter", async () => {
    await press("f");
    await type("error tool:run ");
    await answered(page.getByText(/^\d+ of \d+ sessions/), 2);
    expect(hash()).toContain("filter=");
  });
});
