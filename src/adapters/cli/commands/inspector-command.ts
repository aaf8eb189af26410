import { Command, type ErrorOptions } from "commander";
import { wrapped } from "../text/text-width.js";

export interface CommandHelp {
  readonly answers: string;
  readonly examples: string;
  readonly notes?: string;
}

const WRONG_COUNT = [
  "commander.missingArgument",
  "commander.missingMandatoryOptionValue",
  "commander.excessArguments",
];

/** An operand cannot contain a NUL character. */
const OPERAND = "\0";

/** Its operands may begin with a dash: the folder /srv/shop is the project "-srv-shop". */
export class InspectorCommand extends Command {
  override createCommand(name?: string): InspectorCommand {
    return new InspectorCommand(name);
  }

  explain({ answers, examples, notes }: CommandHelp): this {
    const lines = examples.trim().split("\n");
    this.usage([this.usage(), "", "Examples:", ...lines.map((line) => `  ${line.trim()}`)].join("\n"));
    this.addHelpText("before", `${answers}\n`);
    if (notes === undefined) return this;
    const width = () => this.configureOutput().getOutHelpWidth?.() ?? Number.POSITIVE_INFINITY;
    return this.addHelpText("after", () => `\n${wrapped(notes.trim(), width(), 0)}`);
  }

  override error(message: string, options?: ErrorOptions): never {
    if (!WRONG_COUNT.includes(options?.code ?? "")) return super.error(message, options);
    const problem = message.replace(/\.$/, "");
    return super.error(`${problem}. "${this.#typedName()} --help" prints how to use it.`, options);
  }

  #typedName(): string {
    const names: string[] = [];
    for (let command: Command | null = this; command !== null; command = command.parent)
      names.unshift(command.name());
    return names.join(" ");
  }

  override parseOptions(argv: string[]) {
    const marked = argv.map((arg, i) =>
      this.#isOperand(arg) && !this.#takesValue(argv[i - 1]) ? OPERAND + arg : arg,
    );
    const { operands, unknown } = super.parseOptions(marked);
    return { operands: operands.map(unmarked), unknown: unknown.map(unmarked) };
  }

  #isOperand(arg: string): boolean {
    if (!arg.startsWith("-") || !this.registeredArguments.some(({ required }) => required)) return false;
    if (arg.startsWith("--")) return /^--[^=]*\//.test(arg);
    const short = this.options.some((option) => option.short === arg.slice(0, 2));
    // "-o/tmp/a.html" is an option with its value, "-opt-shop/3f2a" a session.
    return short ? /^-.[^/.~][^/]*\//.test(arg) : arg.length > 2;
  }

  #takesValue(arg: string | undefined): boolean {
    return this.options.some(
      ({ short, long, required }) => required && arg !== undefined && (arg === short || arg === long),
    );
  }
}

function unmarked(arg: string): string {
  return arg.startsWith(OPERAND) ? arg.slice(OPERAND.length) : arg;
}
