import type { ReceivedSpans } from "../../adapters/otlp-receiver/receiver-app.js";

export interface SpanCount {
  /** How many were written so far. */
  readonly spans: number;
  add(received: ReceivedSpans): void;
  /** Leaves the line as it is, and goes on below it. */
  end(): void;
}

const EVERY_MS = 200;

const COUNT = new Intl.NumberFormat("en");

/** How many spans came, as a line that changes: in a terminal only. */
export function spanCount(output: { readonly isTTY?: boolean; write(text: string): unknown }): SpanCount {
  let spans = 0;
  let rejected = 0;
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    timer = undefined;
    output.write(
      `\r${countText(spans, "span")} received${rejected > 0 ? `, ${COUNT.format(rejected)} rejected` : ""}\u001b[K`,
    );
  };
  return {
    get spans() {
      return spans;
    },
    add(received) {
      spans += received.spans;
      rejected += received.rejected;
      if (output.isTTY) timer ??= setTimeout(show, EVERY_MS);
    },
    end() {
      if (!output.isTTY || spans + rejected === 0) return;
      clearTimeout(timer);
      show();
      output.write("\n");
    },
  };
}

export function countText(count: number, what: string): string {
  return `${COUNT.format(count)} ${what}${count === 1 ? "" : "s"}`;
}
