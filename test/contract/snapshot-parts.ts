import { expect, it } from "vitest";
import type { RecordSelection, RecordStream } from "../../src/application/ports/record-stream.js";
import type { SessionSnapshot } from "../../src/application/ports/session-snapshot.js";
import { type ContractSession, envelopeText, NOON } from "./fixture.js";
import { type ContractList, type ContractSuite, needed, openSnapshot, SESSION } from "./suite.js";

const LISTS: readonly ContractList[] = ["envelopes", "orchestrationEvents", "messages"];

export function describeSnapshots({ open, part }: ContractSuite): void {
  part("snapshots", () => {
    it("are there for a session that is known, also for one that recorded nothing", async (test) => {
      const { source } = await open(SESSION);
      const session = await openSnapshot(test, source);
      expect((await session.trace()).size).toBe(0);
      expect((await session.messages()).size).toBe(0);
      const { events, state } = await session.orchestration();
      expect([events.size, await state()]).toEqual([0, null]);
      expect(await source.openSession?.("acme", "unknown")).toBeUndefined();
      expect(await source.openSession?.("unknown", "s1")).toBeUndefined();
    });

    it("have a revision that changes with every record that is added, and with nothing else", async (test) => {
      const { source, ...store } = await open({ ...SESSION, ...records(0) });
      const append = needed(test, "append", store.append);
      const seen: unknown[] = [];
      for (let i = 1; i < 3; i++) {
        for (const list of LISTS) {
          const { revision } = await openSnapshot(test, source);
          needed(test, "revision of a snapshot", revision);
          expect((await openSnapshot(test, source)).revision).toBe(revision);
          expect(seen).not.toContain(revision);
          seen.push(revision);
          await append({ ...SESSION, [list]: records(i)[list] });
        }
      }
      expect(seen).not.toContain((await openSnapshot(test, source)).revision);
    });

    it("tell by fingerprints which records are those of before, and which were added", async (test) => {
      const { source, ...store } = await open({ ...SESSION, ...records(0) });
      const append = needed(test, "append", store.append);
      const before = await fingerprintsOf(await openSnapshot(test, source));
      needed(test, "fingerprintAt of its streams", before);
      await append({ ...SESSION, ...records(1) });
      const after = await fingerprintsOf(await openSnapshot(test, source));
      for (const [list, fingerprints] of Object.entries(after!)) {
        expect(fingerprints).toHaveLength(2);
        expect([list, fingerprints[0]]).toEqual([list, before![list as ContractList][0]]);
        expect(fingerprints[1]).not.toBe(fingerprints[0]);
      }
    });

    it("keep their revision when another session changes", async (test) => {
      const { source, ...store } = await open(SESSION, { ...SESSION, sessionId: "s2" });
      const append = needed(test, "append", store.append);
      const { revision } = await openSnapshot(test, source);
      needed(test, "revision of a snapshot", revision);
      await append({ ...SESSION, sessionId: "s2", ...records(0) });
      expect((await openSnapshot(test, source)).revision).toBe(revision);
    });

    it("stay as they were opened, in all of their parts, while records are added", async (test) => {
      const { source, ...store } = await open({ ...SESSION, ...records(0) });
      const append = needed(test, "append", store.append);
      const session = await openSnapshot(test, source);
      const before = await (await openSnapshot(test, source)).messages();
      await append({ ...SESSION, ...records(1) });
      expect(await textsOf(session)).toEqual(records(0));
      expect(await textOf(before)).toBe(records(0).messages.join(","));
      const later = await openSnapshot(test, source);
      const both = Object.fromEntries(
        LISTS.map((list) => [list, [...records(0)[list], ...records(1)[list]]]),
      );
      expect(await textsOf(later)).toEqual(both);
    });
  });

  part("streams", () => {
    it("give the records that are stored, byte for byte, in any order and any part", async (test) => {
      const many = Array.from({ length: 3_000 }, (_, i) => records(i, "é".repeat(i % 50)));
      const stored = Object.fromEntries(
        LISTS.map((list) => [list, many.flatMap((one) => one[list])]),
      ) as Record<ContractList, string[]>;
      const { source } = await open({ ...SESSION, ...stored });
      const session = await openSnapshot(test, source);
      const positions = Uint32Array.from(many, (_, i) => (i * 1_777) % many.length);
      for (const [list, stream] of Object.entries(await streamsOf(session))) {
        const texts = stored[list as ContractList];
        expect([list, stream.size, stream.warnings]).toEqual([list, texts.length, []]);
        expect(await textOf(stream)).toBe(texts.join(","));
        for (const [from, to] of [
          [0, many.length],
          [17, 1_900],
          [2_999, 3_000],
          [5, 5],
        ] as const) {
          const wanted = [...positions.subarray(from, to)].map((at) => texts[at]);
          expect(await textOf(stream, { positions, from, to })).toBe(wanted.join(","));
          expect(await textOf(stream, { from, to })).toBe(texts.slice(from, to).join(","));
        }
      }
    });

    it("give the records that the lists hold", async (test) => {
      const { source } = await open({ ...SESSION, ...records(0) });
      const { envelopes, orchestrationEvents, messages } = await streamsOf(await openSnapshot(test, source));
      const of = [SESSION.tenantId, SESSION.sessionId] as const;
      expect(parse(await textOf(envelopes))).toEqual(await source.loadTraceEnvelopes(...of));
      expect(parse(await textOf(orchestrationEvents))).toEqual(await source.loadOrchestrationEvents(...of));
      expect(parse(await textOf(messages))).toEqual(await source.loadMessages(...of));
    });

    it("give batches that are the inside of an array", async (test) => {
      const messages = Array.from({ length: 500 }, (_, i) => JSON.stringify({ content: "ü".repeat(i) }));
      const { source } = await open({ ...SESSION, messages });
      const stream = await (await openSnapshot(test, source)).messages();
      let read = 0;
      for await (const batch of stream.read({ from: 0, to: stream.size })) {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(batch.text);
        expect(parse(text)).toEqual(parse(messages.slice(read, read + batch.size).join(",")));
        read += batch.size;
      }
      expect(read).toBe(500);
    });

    it("give what the merge has to know of envelopes, as one object while there are no others", async (test) => {
      const { source } = await open({
        ...SESSION,
        envelopes: [4, 0, 3].map((i) => envelopeText(i, { type: "x" }, { traceId: i === 0 ? "t2" : "t1" })),
      });
      const { keys } = await (await openSnapshot(test, source)).trace();
      expect([...keys.sequences]).toEqual([4, 0, 3]);
      expect([...keys.instants]).toEqual([NOON + 4_000, NOON, NOON + 3_000]);
      expect([...keys.traces].map((trace) => keys.traceIds[trace])).toEqual(["t1", "t2", "t1"]);
      expect(keys.size).toBe(3);
      expect((await (await openSnapshot(test, source)).trace()).keys).toBe(keys);
    });

    it("are empty for the messages of an unknown agent", async (test) => {
      const { source } = await open({ ...SESSION, ...records(0) });
      const stream = await (await openSnapshot(test, source)).messages("nobody");
      expect([stream.size, stream.warnings, await textOf(stream)]).toEqual([0, [], ""]);
    });

    it("of an agent's messages hold none of the session's own", async (test) => {
      const { source } = await open({ ...SESSION, ...records(0) });
      const session = await openSnapshot(test, source);
      const { snapshot } = (await (await session.orchestration()).state())!;
      expect(Object.keys(snapshot.agents)).toEqual(["a0"]);
      expect(await textOf(await session.messages("a0"))).not.toContain(records(0).messages[0]);
    });

    it("come with the state of orchestration that is loaded", async (test) => {
      const orchestrationEvents = [
        { eventId: "e1", type: "agent_spawned", agent: { id: "a1", role: "researcher" } },
        { eventId: "e2", type: "agent_input_queued", input: { id: "i1", agentId: "a1" } },
        { eventId: "e3", type: "agent_closed", close: { agentId: "a1" } },
      ].map((event) => JSON.stringify(event));
      const { source } = await open({ ...SESSION, orchestrationEvents });
      const { events, state } = await (await openSnapshot(test, source)).orchestration();
      expect(await textOf(events)).toBe(orchestrationEvents.join(","));
      const loaded = await source.loadOrchestrationState(SESSION.tenantId, SESSION.sessionId);
      expect((await state())?.snapshot).toEqual(loaded?.snapshot);
      expect(loaded?.snapshot.agents).toHaveProperty("a1");
    });
  });

  part("big integers", () => {
    it("streams numbers that no double holds, and fields in their order, as they were stored", async (test) => {
      const message = '{"z":9007199254740993,"a":1.10,"role":"user","id":123456789012345678901234567890}';
      const envelope = `{"event":{"type":"x","big":9007199254740993},${envelopeText(0, {}).slice(1)}`;
      const { source } = await open({ ...SESSION, messages: [message], envelopes: [envelope] });
      expect(await source.loadMessages("acme", "s1")).toHaveLength(1);
      const session = await openSnapshot(test, source);
      expect(await textOf(await session.messages())).toBe(message);
      expect(await textOf(await session.trace())).toBe(envelope);
    });
  });

  part("warnings", () => {
    for (const list of LISTS) {
      it(`report what cannot be read among the ${list}, and leave it out`, async (test) => {
        const { source, ...store } = await open({ ...SESSION, ...records(0) });
        const append = needed(test, "append", store.append);
        const corrupt = needed(test, "corrupt", store.corrupt);
        await corrupt(SESSION, list);
        await append({ ...SESSION, ...records(1) });
        const session = await openSnapshot(test, source);
        for (const [name, stream] of Object.entries(await streamsOf(session))) {
          expect(await textOf(stream)).toBe([0, 1].map((i) => records(i)[name as ContractList]).join(","));
          const warning = { file: expect.stringMatching(/^[^/\\]/), line: 2, reason: expect.any(String) };
          expect([name, stream.warnings]).toEqual([name, name === list ? [warning] : []]);
        }
        expect(await source.loadTraceEnvelopes("acme", "s1")).toHaveLength(2);
        expect(await source.loadOrchestrationEvents("acme", "s1")).toHaveLength(2);
        expect(await source.loadMessages("acme", "s1")).toHaveLength(2);
      });
    }
  });

  part("cancellation", () => {
    const LONG: ContractSession = {
      ...SESSION,
      messages: Array.from({ length: 20_000 }, (_, i) => JSON.stringify({ content: "x".repeat(i % 99) })),
    };
    const reason = new Error("the reader has gone");

    it("stops a stream whose reader has gone, with the reader's reason", async (test) => {
      const { source } = await open(LONG);
      const messages = await (await openSnapshot(test, source)).messages();
      const controller = new AbortController();
      const selection = { from: 0, to: messages.size };
      const read = async () => {
        for await (const _ of messages.read(selection, { signal: controller.signal }))
          controller.abort(reason);
      };
      await expect(read()).rejects.toBe(reason);
    });

    it("stops the streams of a snapshot with the signal that it was opened with", async (test) => {
      const { source } = await open(LONG);
      needed(test, "openSession", source.openSession);
      const controller = new AbortController();
      const session = await source.openSession?.("acme", "s1", { signal: controller.signal });
      const messages = await session!.messages();
      controller.abort(reason);
      await expect(textOf(messages)).rejects.toBe(reason);
    });

    it("reads anew for a signal that was used before", async (test) => {
      const { source, ...store } = await open({ ...SESSION, ...records(0) });
      const append = needed(test, "append", store.append);
      const options = { signal: new AbortController().signal };
      const of = [SESSION.tenantId, SESSION.sessionId, options] as const;
      const sizes = async () => {
        const session = await source.openSession?.(...of);
        return {
          sessions: (await source.listSessions(options)).length,
          envelopes: (await source.loadTraceEnvelopes(...of)).length,
          orchestrationEvents: (await source.loadOrchestrationEvents(...of)).length,
          agents: Object.keys((await source.loadOrchestrationState(...of))?.snapshot.agents ?? {}).length,
          messages: (await source.loadMessages(...of)).length,
          ofSnapshot: session === undefined ? undefined : (await session.messages()).size,
          found: (await source.findSessions?.({}, options))?.items.length,
        };
      };
      const before = await sizes();
      expect(before).toMatchObject({ sessions: 1, envelopes: 1, agents: 1, messages: 1 });
      const revision = await source.revision?.(options);
      await append({ ...SESSION, ...records(1) });
      await append({ ...SESSION, sessionId: "s2" });
      const grown = Object.entries(before).map(([name, size]) => [name, size && size + 1]);
      expect(await sizes()).toEqual(Object.fromEntries(grown));
      if (revision !== undefined) expect(await source.revision?.(options)).not.toBe(revision);
    });
  });
}

type Records = Readonly<Record<ContractList, readonly string[]>>;

function records(i: number, text = ""): Records {
  const spawned = { eventId: `e${i}`, type: "agent_spawned", agent: { id: `a${i}`, role: text } };
  return {
    envelopes: [envelopeText(i, { type: "tool.start", toolCallId: `c${i}`, text })],
    orchestrationEvents: [JSON.stringify(spawned)],
    messages: [JSON.stringify({ role: "user", content: `m${i}${text}` })],
  };
}

/** `undefined` for a source without fingerprints. */
async function fingerprintsOf(session: SessionSnapshot): Promise<Record<ContractList, number[]> | undefined> {
  const streams = Object.entries(await streamsOf(session));
  if (streams.some(([, { fingerprintAt }]) => fingerprintAt === undefined)) return undefined;
  const found = streams.map(([list, stream]) => [
    list,
    Array.from({ length: stream.size }, (_, at) => stream.fingerprintAt!(at)),
  ]);
  return Object.fromEntries(found) as Record<ContractList, number[]>;
}

async function streamsOf(session: SessionSnapshot): Promise<Record<ContractList, RecordStream>> {
  return {
    envelopes: await session.trace(),
    orchestrationEvents: (await session.orchestration()).events,
    messages: await session.messages(),
  };
}

async function textsOf(session: SessionSnapshot): Promise<Record<string, string[]>> {
  const texts: Record<string, string[]> = {};
  for (const [list, stream] of Object.entries(await streamsOf(session)))
    texts[list] = await recordsOf(stream);
  return texts;
}

async function textOf(stream: RecordStream, selection?: RecordSelection): Promise<string> {
  return (await recordsOf(stream, selection)).join(",");
}

async function recordsOf(
  stream: RecordStream,
  selection: RecordSelection = { from: 0, to: stream.size },
): Promise<string[]> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  for await (const batch of stream.read(selection)) {
    for (let i = 0; i < batch.size; i++) {
      texts.push(decoder.decode(batch.text.subarray(batch.start(i), batch.end(i))));
    }
  }
  return texts;
}

function parse(texts: string): unknown {
  return JSON.parse(`[${texts}]`);
}
