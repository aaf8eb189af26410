/** Says that the process is alive. It asks no source: a broken store does not make the process look dead. */
export class CheckHealth {
  execute(): { readonly status: "ok" } {
    return { status: "ok" };
  }
}
