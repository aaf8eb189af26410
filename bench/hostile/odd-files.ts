import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from "node:fs";

/** About how many bytes are written at a time. */
const PIECE = 1 << 20;

/** A way to write a file of a shape that no tool means to write. */
export type OddFile = (file: string) => void;

const INSTANT = "2026-01-15T12:00:00.000Z";

/** A file of so many bytes, all of them the same. */
export function sameBytes(byte: string, size: number): OddFile {
  return (file) => repeat(file, byte, size);
}

/** A file of NUL bytes, as a power failure leaves it: none of them takes room on the disk. */
export function hole(size: number): OddFile {
  return (file) => {
    writeFileSync(file, "");
    truncateSync(file, size);
  };
}

/** Some lines, then a hole, then some lines again. */
export function holeBetween(lines: string, size: number): OddFile {
  return (file) => {
    writeFileSync(file, lines);
    truncateSync(file, size);
    writeFileSync(file, `\n${lines}`, { flag: "a" });
  };
}

/** The same line again and again. */
export function sameLines(line: string, count: number): OddFile {
  return (file) => repeat(file, `${line}\n`, count);
}

/** One record on one line of so many bytes. */
export function oneLine(size: number): OddFile {
  const [head, tail] = ['{"a":"', '"}\n'];
  return (file) => {
    writeFileSync(file, head);
    repeat(file, "x", size - head.length - tail.length, "a");
    writeFileSync(file, tail, { flag: "a" });
  };
}

/** Lines that are all different. */
export function numberedLines(count: number, line: (i: number) => string): OddFile {
  return (file) => {
    const descriptor = openSync(file, "w");
    let text = "";
    for (let i = 0; i < count; i++) {
      text += `${line(i)}\n`;
      if (text.length < PIECE && i + 1 < count) continue;
      writeSync(descriptor, text);
      text = "";
    }
    closeSync(descriptor);
  };
}

/** An envelope of a trace of its own. */
export function envelopeOfOwnTrace(i: number): string {
  const event = { type: "turn.start", turnIndex: 0 };
  return JSON.stringify({ id: `e${i}`, traceId: `t${i}`, sequence: 0, timestamp: INSTANT, event });
}

/** An orchestration event that spawns an agent. */
export function spawnedAgent(i: number): string {
  return JSON.stringify({
    eventId: `e${i}`,
    type: "agent_spawned",
    occurredAt: INSTANT,
    agent: { id: `a${i}` },
  });
}

/** The beginning of a session, with ids of its own. */
export function beginningOfSession(i: number): string {
  return JSON.stringify({
    type: "init",
    sessionId: `s${i}`,
    tenantId: "default",
    userId: `u${i}`,
    createdAt: i,
  });
}

/** A prompt of a Claude Code history. */
export function prompt(i: number): string {
  const message = { role: "user", content: "Go on." };
  return JSON.stringify({ type: "user", uuid: `u${i}`, timestamp: INSTANT, sessionId: "s", message });
}

function repeat(file: string, text: string, count: number, flag = "w"): void {
  const descriptor = openSync(file, flag);
  const atOnce = Math.max(1, Math.floor(PIECE / text.length));
  const piece = Buffer.from(text.repeat(Math.min(atOnce, count)));
  for (let done = 0; done < count; done += atOnce) {
    writeSync(descriptor, piece, 0, Math.min(atOnce, count - done) * text.length);
  }
  closeSync(descriptor);
}
