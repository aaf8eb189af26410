/** A settings file that cannot be changed: its message says why. */
export class UnreadableSettingsError extends Error {
  override readonly name = "UnreadableSettingsError";
}
