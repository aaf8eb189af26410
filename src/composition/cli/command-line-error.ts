/** What is wrong with how the command was called, in one line that says what to do. It ends the process without a stack. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}
