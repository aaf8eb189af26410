export class UnreadableSettingsError extends Error {
  override readonly name = "UnreadableSettingsError";
}
