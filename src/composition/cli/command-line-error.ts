/** A wrong call of the command: one line with what to do instead. It ends the process without a stack. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
  /** What the process ends with. */
  readonly exitCode: number;

  constructor(
    message: string,
    { exitCode = 1, ...options }: ErrorOptions & { readonly exitCode?: number } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
