import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from "node:fs";

/** Approximate bytes of one write. */
const PIECE = 1 << 20;

export type OddFile = (file: string) => void;

const INSTANT = "2026-01-15T12:00:00.000Z";

export function sameBytes(byte: string, size: number): OddFile {
  return (file) => repeat(file, byte, size);
}

/** NUL bytes, as after a power failure; sparse, so they use no disk space. */
export function hole(size: number): OddFile {
  return (file) => {
    writeFileSync(file, "");
    truncateSync(file, size);
  };
}

export function holeBetween(lines: string, size: number): OddFile {
  return (file) => {
    writeFileSync(file, lines);
    truncateSync(file, size);
    writeFileSync(file, `\n${lines}`, { flag: "a" });
  };
}

export function sameLines(line: string, count: number): OddFile {
  return (file) => repeat(file, `${line}\n`, count);
}

/** @param size in bytes */
export function oneLine(size: number): OddFile {
  const [head, tail] = ['{"a":"', '"}\n'];
  return (file) => {
    writeFileSync(file, head);
    repeat(file, "x", size - head.length - tail.length, "a");
    writeFileSync(file, tail, { flag: "a" });
  };
}

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

export function envelopeOfOwnTrace(i: number): string {
  const event = { type: "turn.start", turnIndex: 0 };
  return JSON.stringify({ id: `e${i}`, traceId: `t${i}`, sequence: 0, timestamp: INSTANT, event });
}

export function spawnedAgent(i: number): string {
  return JSON.stringify({
    eventId: `e${i}`,
    type: "agent_spawned",
    occurredAt: INSTANT,
    agent: { id: `a${i}` },
  });
}

export function beginningOfSession(i: number): string {
  return JSON.stringify({
    type: "init",
    sessionId: `s${i}`,
    tenantId: "default",
    userId: `u${i}`,
    createdAt: i,
  });
}

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
