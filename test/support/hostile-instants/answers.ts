import { expect } from "vitest";
import { usageText } from "../../../src/adapters/cli/text/usage-text.js";
import { renderAnswer } from "../../../src/adapters/mcp/answer/render-answer.js";
import { toolInput } from "../../../src/adapters/mcp/tools/tool-input.js";
import type { Overview } from "../../../src/domain/overview/overview.js";
import type { InspectorDataSource, InspectorSessionItem } from "../../../src/index.js";
import { type Body, Interview, type Key, ownOf, pagesOf, queryOf } from "../neighbours/interview.js";
import { sized } from "../soak.js";
import type { PlannedSession } from "./histories.js";
import { HOSTILE_INSTANTS } from "./instants.js";

const GOOD: PlannedSession = { id: "good-0001-4000-8000-000000000000", text: "lantern" };

/** Two sessions for each value: one has it in every instant, the other in every second one. */
const HOSTILE: readonly PlannedSession[] = [1, 2].flatMap((every) =>
  HOSTILE_INSTANTS.map((value, i) => ({
    id: `hostile-${i}-${every}`,
    text: "pebble",
    instant: { value, every },
  })),
);
/** The daily tests plant every 13th session, and others in each format. */
const STEP = sized(13, 1);
/** Daily tests use a quarter of the sessions, and one grouping and zone, others in each format. */
const PART = sized(4, 1);

const ZONES = ["UTC", "Pacific/Apia", "Asia/Kathmandu", "America/St_Johns"];
const TIMES = ["hour", "day", "week", "month"] as const;
const RANGES = [
  {},
  { from: "0001-01-01" },
  { to: "9999-12-31T23:59:59.999Z" },
  { from: "999999w", to: "9999-12" },
];

const FILTERS: readonly (readonly [filter: string, isGood: boolean])[] = [
  ["after:2026-01-01", true],
  ["after:0001-01-01", true],
  ["after:999999w", true],
  ["after:9999-12-31", false],
  ["before:1999-01-01", false],
  ["before:9999-12-31", true],
  ["-before:0099-12-31", true],
  ["duration:<1h", true],
  ["duration:>10000d", false],
];

/**
 * Compares every answer that depends on instants: about a good session alone, and beside sessions with hostile instants.
 * @param turn selects the hostile sessions of the daily tests
 * @returns the number of warnings
 */
export async function expectGoodBesideHostile(
  sourceOf: (sessions: readonly PlannedSession[]) => Promise<InspectorDataSource>,
  turn: number,
): Promise<number> {
  const alone = new Interview(await sourceOf([GOOD]));
  const key = (await listOf(alone)).find(({ sessionId }) => sessionId.endsWith(GOOD.id))!;
  const expected = await answersAbout(alone, key);
  const { total } = await overviewOf(alone, {});
  const hostile = HOSTILE.filter((_, i) => i % STEP === turn % STEP);
  const beside = new Interview(await sourceOf([GOOD, ...hostile]));
  const sessions = await listOf(beside);
  expect(sessions).toHaveLength(1 + hostile.length);
  expect(await answersAbout(beside, key)).toEqual(expected);
  await expectSoundSums(beside, turn);
  const all = await overviewOf(beside, { to: "9999-12-31T23:59:59.999Z" });
  expect([all.coverage.sessions, all.coverage.unread]).toEqual([sessions.length, 0]);
  expect(all.total.tokens).toBe(sessions.length * total.tokens);
  await expectSoundFilters(beside, key);
  for (const [i, session] of sessions.entries()) {
    await expectSoundSession(beside, session);
    if (i % PART === 0) await expectSoundComparison(beside, key, session);
  }
  await expectSoundTools(beside, sessions, turn);
  expect(beside.failures).toEqual([]);
  return sum(sessions.map(({ warnings = 0 }) => warnings)) + (all.warnings?.length ?? 0);
}

async function listOf(interview: Interview): Promise<readonly InspectorSessionItem[]> {
  const { sessions } = await interview
    .get("/sessions", true)
    .then(parsed<{ sessions: InspectorSessionItem[] }>);
  return sessions;
}

const parsed = <T>(text: string) => JSON.parse(text) as T;

/** Asks again while sessions are unread: one answer reads for a limited time only. */
async function overviewOf(interview: Interview, values: object): Promise<Overview> {
  const ask = () => interview.get(`/overview?${queryOf(values)}`, true).then(parsed<Overview>);
  let overview = await ask();
  for (let tries = 0; tries < 100 && overview.coverage.unread > 0; tries++) overview = await ask();
  return overview;
}

async function answersAbout(interview: Interview, key: Key): Promise<Body> {
  const { tenantId, sessionId } = key;
  const of = async (what: string) =>
    interview.get(`/sessions/${encodeURIComponent(sessionId)}/${what}?${queryOf({ tenantId })}`);
  const year = { from: "2026-01-01", to: "2027-01-01", zone: "Asia/Kathmandu" };
  const { warnings: _, ...own } = await overviewOf(interview, { ...year, filter: `session:${sessionId}` });
  const hits = await pagesOf((cursor) => interview.get(`/search?${queryOf({ q: GOOD.text, ...cursor })}`));
  const { largestSessions } = await overviewOf(interview, year);
  return {
    row: ownOf(key, "sessions", [await interview.get("/sessions")]),
    hits: ownOf(key, "hits", hits),
    overview: own,
    sums: largestSessions.filter((one) => one.sessionId === sessionId && one.tenantId === tenantId),
    ...{ trace: await of("trace"), summary: await of("summary"), messages: await of("messages") },
  };
}

async function expectSoundSums(interview: Interview, turn: number): Promise<void> {
  for (const [i, by] of TIMES.entries()) {
    for (const [k, zone] of ZONES.entries()) {
      if ((4 * i + k - turn) % sized(16, 1) !== 0) continue;
      const range = RANGES[(i + 2 * k) % RANGES.length]!;
      const overview = await overviewOf(interview, { by, zone, ...range });
      const { rows, total } = overview;
      const names = rows.map(({ name }) => name);
      expect(names, `${by} in ${zone}`).toEqual([...new Set(names)].sort());
      expect([names.length <= 1_000, sum(rows.map((row) => row.tokens))]).toEqual([true, total.tokens]);
      expect(usageText(overview)).not.toMatch(/NaN|Invalid|Infinity|undefined/);
    }
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

async function expectSoundFilters(interview: Interview, good: Key): Promise<void> {
  for (const [filter, isGood] of FILTERS) {
    const query = queryOf({ filter, zone: "Pacific/Apia" });
    const own = ownOf(good, "sessions", [await interview.get(`/sessions?${query}`)]);
    expect([filter, own !== "[]"]).toEqual([filter, isGood]);
  }
  for (const path of ["/search", "/search/sessions"]) {
    const where = { q: "pebble", filter: "after:1970-01-01" };
    const hits = await pagesOf((cursor) =>
      interview.get(`${path}?${queryOf({ ...where, ...cursor })}`, true),
    );
    expect(hits.join()).toContain("hostile");
  }
}

async function expectSoundSession(interview: Interview, session: InspectorSessionItem): Promise<void> {
  const { tenantId, sessionId } = session;
  for (const what of ["summary", "orchestration"]) {
    const path = `/sessions/${encodeURIComponent(sessionId)}/${what}?${queryOf({ tenantId })}`;
    const text = await interview.get(path, true);
    if (what !== "summary") continue;
    const { startedAt = "", endedAt = "" } = parsed<{ startedAt?: string; endedAt?: string }>(text);
    expect(endedAt >= startedAt, sessionId).toBe(true);
  }
}

async function expectSoundComparison(interview: Interview, a: Key, b: Key): Promise<void> {
  const sides = { sessionId: a.sessionId, tenantId: a.tenantId };
  const query = queryOf({ ...sides, otherSessionId: b.sessionId, otherTenantId: b.tenantId });
  const { sessions } = parsed<{ sessions: { ms: number }[] }>(await interview.get(`/compare?${query}`, true));
  for (const { ms } of sessions) expect(ms).toBeGreaterThanOrEqual(0);
  for (const format of sized(["otlp", "markdown"], ["otlp", "atif", "markdown", "prompt"])) {
    const own = queryOf({ tenantId: b.tenantId, format, redact: "none" });
    await interview.file(`/sessions/${encodeURIComponent(b.sessionId)}/export?${own}`);
  }
}

async function expectSoundTools(interview: Interview, sessions: readonly Key[], turn: number): Promise<void> {
  const handles = interview.handles();
  const tools = new Map(interview.tools().map((tool) => [tool.name, tool]));
  const call = async (name: string, given: object) => {
    const { input, execute } = tools.get(name)!;
    const result = await toolInput(input)["~standard"].validate(given);
    if (result.issues !== undefined) throw new TypeError(JSON.stringify(result.issues));
    const onFailure = (error: unknown) => void interview.failures.push(error);
    const signal = AbortSignal.timeout(60_000);
    const answer = renderAnswer(await execute(result.value, { signal, onFailure, handles }), {
      nonce: () => "0123456789abcdef",
    });
    expect(answer).not.toMatch(/NaN|Infinity|Invalid Date/);
  };
  for (const by of sized([["day", "week", "month"][turn % 3]!], ["day", "week", "month"]))
    await call("usage", { by });
  await call("list_sessions", { texts: true, limit: 50 });
  await call("list_sessions", { sort: "duration", limit: 50 });
  await call("search", { query: "pebble", texts: true });
  for (const session of sessions.filter((_, i) => i % PART === 0)) {
    const own = { session: handles.session(session).text };
    for (const about of ["overview", "failures", "time"]) await call("session_summary", { ...own, about });
    await call("trace_slice", { ...own, limit: 50 });
  }
}
