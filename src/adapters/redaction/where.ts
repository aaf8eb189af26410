import type { LineText } from "./text/line-strings.js";

/** Location of a text for people: `message 3`, `tool.end 17`, `title`. */
export class Whereabouts {
  #messages = 0;
  #events = 0;

  next(line: string): (text: LineText) => string {
    const sort = /^\{"([a-z]{1,20})"/.exec(line)?.[1] ?? "line";
    if (sort === "session") {
      this.#messages = this.#events = 0;
      return ({ kind, text, member }) => (kind === "name" ? text : member) ?? "session";
    }
    if (sort === "message") return always(`message ${++this.#messages}`);
    if (sort === "event") return always(`orchestration event ${++this.#events}`);
    if (sort !== "envelope") return always(sort);
    let name: string | undefined;
    return () => {
      name ??= envelopeName(line);
      return name;
    };
  }
}

const always = (name: string) => () => name;

function envelopeName(line: string): string {
  const { envelope } = JSON.parse(line) as {
    envelope: { sequence?: unknown; event?: { type?: unknown } | null };
  };
  const { type } = envelope.event ?? {};
  return `${typeof type === "string" ? type.slice(0, 60) : "event"} ${Number(envelope.sequence)}`;
}
