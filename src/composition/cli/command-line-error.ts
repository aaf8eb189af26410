/** A wrong call of the command: one line with what to do instead. It ends the process without a stack. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}
