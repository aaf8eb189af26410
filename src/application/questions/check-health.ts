/** Reports that the process is alive. It asks no source: a process with a broken store is alive, too. */
export class CheckHealth {
  execute(): { readonly status: "ok" } {
    return { status: "ok" };
  }
}
