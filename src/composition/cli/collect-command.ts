import type { Command } from "commander";
import { spansDir } from "./cache-commands.js";
import type { CollectOptions } from "./collect.js";
import { parsePort } from "./option-values.js";

const COLLECT_HELP = `
An agent that is instrumented with OpenTelemetry sends its spans where these variables say:
  OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318
  OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
  OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none      spans are all that is received

Examples:
  agent-inspector collect
  agent-inspector collect --data ./spans --port 0 --ui-port 0
  agent-inspector ./spans             show them again`;

const SHARED_WITH_COLLECT = ["--host", "--no-open", "--prices", "--no-prices"];

/** The command that receives spans and shows them. */
export function addCollect(program: Command): void {
  program
    .command("collect")
    .description("receive spans by OTLP/HTTP, keep them in a folder, and show them while they come")
    .option("--data <folder>", "where they are kept, beside those of before", spansDir())
    .option("-p, --port <number>", "the port to receive them on; 0 picks a free one", parsePort, 4318)
    .option("--ui-port <number>", "the port of the page; 0 picks a free one", parsePort, 4680)
    // The program has an option of that name, too, which means another port.
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () =>
        program.options.filter(({ long }) => SHARED_WITH_COLLECT.includes(long ?? "")),
    })
    .addHelpText("after", COLLECT_HELP)
    .action(async (_: unknown, collect: Command) => {
      const options = collect.optsWithGlobals<CollectOptions>();
      const isSaid = program.getOptionValueSource("port") !== "default";
      const { port } = isSaid ? options : collect.opts<CollectOptions>();
      const { collectSpans } = await import("./collect.js");
      await collectSpans({ ...options, port });
    });
}
