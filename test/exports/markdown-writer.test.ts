import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { markdownWriter } from "../../src/adapters/exports/markdown/markdown-writer.js";
import { priceTableOf } from "../../src/adapters/prices/price-table.js";
import { CallPricing } from "../../src/application/pricing/call-pricing.js";
import { ENVELOPES, LISTED, MESSAGES, smallSession, withTexts, written } from "./support/small-session.js";

const write = markdownWriter(new CallPricing(priceTableOf(undefined)));
const markdown = await written(write);

describe("a session as Markdown", () => {
  it("begins with its title, its facts and what went wrong", () => {
    const [head] = markdown.split("## Turn 1");
    expect(head).toBe(
      [
        "# Mend the total",
        "",
        "2026-01-01 12:00 UTC · 27.0s · `claude-sonnet-4-5` · 6,000 input tokens (0% cache hits) · 300 output tokens · $0.022 · 2 turns · 6 model calls · 3 tool calls · 1 sub-agent · 1 error",
        "",
        "Session `acme/s1` in `/shop`",
        "",
        "Removed before it was written: 2 × api key.",
        "",
        "## What went wrong",
        "",
        "1 error, 1 cause.",
        "",
        "- 1 × **Bash**: 1 test failed (1 continued without it), first in turn 2",
        "",
        "",
      ].join("\n"),
    );
  });

  it("says turn by turn what was asked, said and done", () => {
    expect(markdown).toContain(
      "**Prompt**\n\n```text\nWhat is in the cart?\n```\n\n**Agent**\n\n```text\nIt is empty.\n```\n",
    );
    expect(markdown).toContain(
      "**Edit** · total.ts · 1.00s\n\n```diff\n--- /shop/total.ts\n+++ /shop/total.ts\n-sum + 1\n+sum + price\n```\n",
    );
    expect(markdown).toContain(
      "**Bash** · **failed** · 1.00s\n\n```sh\nnpm test\n```\n\nError:\n\n```text\n1 test failed\n```\n",
    );
  });

  it("has sub-agents in sections behind the turn that started them", () => {
    expect(markdown.match(/^#+ .*$/gm)).toEqual([
      "# Mend the total",
      "## What went wrong",
      "## Turn 1",
      "## Turn 2",
      "### Agent tester",
    ]);
    expect(markdown).toContain("→ Agent tester, below");
    const [before, behind] = markdown.split("### Agent tester");
    expect(before).not.toContain("**Sub-agent**");
    expect(behind).toContain("**Sub-agent**");
  });

  it("has of a part of a session that part's own figures", async () => {
    const part = await written(write, "turn:1");
    expect(part).toContain("A part of the session: `turn:1`. Figures are those of the part.");
    expect(part).toContain(
      "5.00s · `claude-sonnet-4-5` · 1,000 input tokens (0% cache hits) · 50 output tokens · $0.004 · 1 turn · 1 model call · 0 tool calls · 0 errors",
    );
    expect(part).toContain("Nothing failed.");
    expect(await written(write, "turn:2")).toMatch(/first in turn 2\n[\s\S]*^## Turn 2$/m);
  });

  it("cuts what is long, and says how much it left out", async () => {
    const output = "x".repeat(100_000);
    const long = ENVELOPES.map((one) => ({
      ...one,
      event: one.id === "e14" ? { ...one.event, output } : one.event,
    }));
    const text = await written(write, undefined, [{ session: LISTED, snapshot: smallSession(long) }]);
    expect(text).toContain("xx\n… 98,000 characters left out …\nxx");
  });

  it("has the conversation where the trace does not say what was said", async () => {
    const silent = ENVELOPES.filter(({ event: { type } }) => type !== "text");
    const text = await written(write, undefined, [{ session: LISTED, snapshot: smallSession(silent) }]);
    expect(text).toContain(
      "## Conversation\n\n**User**\n\n```text\nWhat is in the cart?\n```\n\n**Agent**\n\n```text\nIt is empty.\n```\n",
    );
  });
});

const HOSTILE = [
  "```\n# Owned\n<script>alert(1)</script>\n![x](https://evil.example/a.png)\n@octocat #1 https://evil.example www.evil.example ada@evil.example",
  "````````text\n</code></pre><img src=x onerror=alert(1)>",
  "`` ` <b>bold</b> [link](javascript:alert(1)) `",
  "~~~\n<details open>\n\n| a | b |\n|---|---|\n&lt;i&gt; \u202eevil\u0000\r\n    indented\n- [ ] task\n1. one\n> quote\n[^1]: note",
  "`",
  "www.evil.example",
  "*a* _b_ ~~c~~ **d**",
  "a@evil.example.",
].map((text) => `${text}\n${text}`);

const OWN = /^<\/?(?:h[1-6]|p|pre|code|strong|em|ul|li)(?: class="language-(?:text|diff|sh|json)")?>$/;

describe("the Markdown of a hostile history", () => {
  it.each(HOSTILE)("holds %j in code alone", async (text) => {
    const html = await htmlOf(text);
    const tags = html.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => !OWN.test(tag))).toEqual([]);
    const outside = html.replace(/<code[^>]*>[^<]*<\/code>/g, "");
    expect(outside).not.toMatch(/evil|octocat|Owned|script|@|#|\u202e/);
    // The headings are those of a session with harmless texts.
    expect(html.match(/<h[1-6]>/g)).toEqual((await htmlOf("harmless")).match(/<h[1-6]>/g));
  });
});

/** As GitHub renders it; `text` stands before each text, name and id of the session. */
async function htmlOf(text: string): Promise<string> {
  const changed = <Value>(value: Value) => withTexts(value, (own) => text + own);
  const snapshot = smallSession(changed(ENVELOPES), changed(MESSAGES));
  const session = { ...LISTED, title: text, directory: text, sessionId: text };
  return micromark(await written(write, undefined, [{ session, snapshot }]), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
  });
}
