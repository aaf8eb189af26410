import { describe, expect, it } from "vitest";
import { ComparableTexts } from "./comparable-text.js";

const run = (directory: string) => new ComparableTexts(directory);

describe("texts of two sessions", () => {
  it.each([
    ["the folder", "cat /home/ada/run-1/src/a.ts; cd /home/ada/run-1", "cat /srv/b/src/a.ts; cd /srv/b"],
    ["a path from the folder", '{"path":"/home/ada/run-1/a.ts"}', '{"path":"a.ts"}'],
    [
      "a folder that is named by it",
      "~/.claude/projects/-home-ada-run-1/m.md",
      "~/.claude/projects/-srv-b/m.md",
    ],
    ["the address of a file", "open file:///home/ada/run-1/a.html", "open file:///srv/b/a.html"],
    ["an instant", "at 2026-01-15T09:00:00.000Z, 09:00:01", "at 2026-02-01 10:30:00 +0100, 23:59:59"],
    ["a date", "Thu Nov 26 03:49:46 UTC 2026 a.ts", "Fri Feb  6 03:41:00 UTC 2026 a.ts"],
    ["the epoch", "1768467600000", "1768467612345"],
    ["a UUID", "id 0aa1b2c3-0000-4000-8000-0123456789ab", "id ffffffff-1111-4111-8111-aaaaaaaaaaaa"],
    ["a vendor's id", "toolu_01AbCdEf gave call_9zYxWv8u", "toolu_02GhIjKl gave call_1aBcDe2f"],
    ["a hash", "[main 1a2b3c4] Mend it", "[main 9f8e7d6] Mend it"],
    ["a reminder", "Mend it\n<system-reminder>\nThe date has changed.\n</system-reminder>", "Mend it"],
    [
      "the environment",
      "<environment_context>\n<cwd>/a</cwd>\n</environment_context>\nMend it",
      "<environment_context>\n<cwd>/b</cwd>\n<shell>zsh</shell>\n</environment_context>\nMend it",
    ],
  ])("are the same but for %s", (_, one, other) => {
    expect(run("/home/ada/run-1").of(one)).toBe(run("/srv/b").of(other));
  });

  it.each([
    ["names", "cat src/a.ts", "cat src/b.ts"],
    ["numbers", "limit 20", "limit 200"],
    ["the line of a file", "a.ts:10:2", "a.ts:11:2"],
    ["a folder that only begins alike", "ls /home/ada/run-12", "ls ."],
    ["a folder of the same name elsewhere", "ls /mnt/home/ada/run-1/a", "ls /mnt/a"],
    ["how long one waits", "sleep 1.5s", "sleep 2.5s"],
    ["words that look like a hash", "the facade is added", "the decade is added"],
  ])("differ by %s", (_, one, other) => {
    expect(run("/home/ada/run-1").of(one)).not.toBe(run("/home/ada/run-1").of(other));
  });

  it("are the same where only a result says how long something took", () => {
    expect(run("").of("12 passed in 1.25s (340 ms)", true)).toBe(
      run("").of("12 passed in 0.98s (12 ms)", true),
    );
  });

  it("are those of a folder of Windows in each spelling", () => {
    expect(run("C:\\apps\\shop").of('{"path":"C:\\\\apps\\\\shop\\\\a.ts"} C:/apps/shop/a.ts')).toBe(
      '{"path":"a.ts"} a.ts',
    );
  });

  it("take one pass, whatever they are", () => {
    const began = performance.now();
    for (const text of [
      "call-",
      "call_a",
      "<system-reminder>",
      "2026-",
      "a1",
      "Jan ",
      "1:",
      "/home/ada/run-1",
    ]) {
      run("/home/ada/run-1").of(text.repeat(200_000 / text.length), true);
    }
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
