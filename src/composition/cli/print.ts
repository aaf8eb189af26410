/** Writes to standard output, and waits until that is taken: a slow reader holds up the reading. */
export function print(text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
