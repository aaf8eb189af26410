import { appendFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lines, meta, newHome, packed, prompted, rolloutOf, said } from "../codex/support/homes.js";
import { historiesRead, listAnew, listOfNewThread } from "../support/cached-lists.js";
import { temporaryFolder } from "../support/data-directory.js";

const KIND = "codex";

const own = [...prompted("Hello"), said("assistant", "Hi.")];

describe("the list of a second process", { timeout: 120_000 }, () => {
  it("opens no rollout that has not changed, for its head or for its summary", async () => {
    const home = await newHome({
      [rolloutOf("one")]: lines([meta("one"), ...own]),
      [rolloutOf("fork")]: lines([
        meta("fork", { forked_from_id: "one" }),
        meta("one"),
        ...own,
        ...prompted("More"),
      ]),
      [rolloutOf("agent")]: lines([meta("agent", { parent_thread_id: "one" }), ...own]),
      [`${rolloutOf("cold", "2026/06/01")}.zst`]: packed(lines([meta("cold"), ...own])),
    });
    const cacheDir = await temporaryFolder();
    const rolloutsRead = async () =>
      (await historiesRead(KIND, home, cacheDir)).filter((file) => file.startsWith("sessions/"));
    expect(await rolloutsRead()).toHaveLength(3);
    expect(await rolloutsRead()).toEqual([]);
    await appendFile(path.join(home, rolloutOf("fork")), lines(prompted("And more"), 600));
    expect(await rolloutsRead()).toContain(rolloutOf("fork"));
    const cached = await listOfNewThread(KIND, home, cacheDir);
    expect(cached).toHaveLength(3);
    expect(cached).toEqual(await listAnew(KIND, home));
  });
});
