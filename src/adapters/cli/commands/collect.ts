import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import { formatCount } from "../../../domain/text/figures.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { withThreads } from "../opening/histories.js";
import { shortened } from "../opening/open-source.js";
import type { CommandContext, SpanCounts } from "../opening/parts.js";
import { pricesIn } from "../opening/price-options.js";
import { rulesIn } from "../opening/rule-options.js";
import { supportedSource } from "../opening/supported-sources.js";
import { codeOf, type Output, orExplain, print, stopSignal } from "../text/terminal.js";
import { redrawn } from "../text/text.js";
import { listen, type RunningServer } from "./serve.js";
import { type ShowOptions, welcome } from "./show.js";

export interface CollectOptions extends ShowOptions {
  readonly data: string;
  readonly uiPort: number;
}

const GRACE_MS = 5_000;

export async function collectSpans(context: CommandContext, options: CollectOptions): Promise<void> {
  const directory = path.resolve(options.data);
  await orExplain(
    () => mkdir(directory, { recursive: true, mode: 0o700 }),
    (error) =>
      `The folder "${visibleText(options.data)}" cannot be made (${codeOf(error)}). Name another with --data.`,
  );
  await withThreads(context.parts, (pool) => collectUntilStopped(context, directory, pool, options));
}

async function collectUntilStopped(
  context: CommandContext,
  directory: string,
  pool: ReadingPool,
  options: CollectOptions,
): Promise<void> {
  const { parts, terminal, outputEnded } = context;
  const { host, port, uiPort } = options;
  const stopped = stopSignal(terminal);
  const prices = await pricesIn(options, parts);
  const rules = await rulesIn(options, parts);
  const count = spanCount(terminal.stderr);
  const receiver = await parts.openReceiver({ directory, access: EVERYBODY, onReceived: count.add });
  const source = await supportedSource(parts.sources(), "otlp").open(directory, { pool });
  const servers: RunningServer[] = [];
  try {
    const receiving = await listen({ host, port });
    servers.push(receiving);
    await receiving.answer(receiver.app);
    const page = await listen({ host, port: uiPort, portOption: "--ui-port" });
    servers.push(page);
    const printing = print(
      terminal,
      [
        `Receiving spans: ${receiving.address}v1/traces`,
        "Set where your agent runs:",
        `  OTEL_EXPORTER_OTLP_ENDPOINT=${receiving.address.replace(/\/$/, "")}`,
        "  OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
        "Every client that reaches this address can send spans of any tenant.",
        `Storing spans in ${shortened(directory)}`,
        `Page: ${page.address}`,
        "",
      ].join("\n"),
      outputEnded,
    );
    welcome(context, page.address, options, "read every history and add spans");
    await printing;
    await page.answer(await parts.inspectorApp(source, { pool, prices, rules }));
    await stopped;
  } finally {
    await receiver.close();
    await Promise.all(servers.map((server, i) => server.close(i === 0 ? GRACE_MS : 0)));
    await source.close?.();
    count.end();
  }
  terminal.stdout.write(farewell(count.spans, shortened(directory)));
}

const EVERYBODY = () => ({ tenants: "all" }) as const;

function farewell(spans: number, folder: string): string {
  if (spans === 0) return "No spans came.\n";
  return `${formatCount(spans, "span")} came and ${spans === 1 ? "lies" : "lie"} in ${folder}. Show them again: agent-inspector ${folder}\n`;
}

interface SpanCount {
  readonly spans: number;
  add(received: SpanCounts): void;
  end(): void;
}

const EVERY_MS = 200;

export function spanCount(output: Pick<Output, "isTTY"> & { write(text: string): unknown }): SpanCount {
  let spans = 0;
  let rejected = 0;
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    timer = undefined;
    const refused = rejected > 0 ? `, ${formatCount(rejected)} rejected` : "";
    output.write(redrawn(`${formatCount(spans, "span")} received${refused}`));
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
