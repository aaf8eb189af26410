/** Runs something as a user who may read no more than others allow: permissions mean nothing to the superuser. */
export async function withoutPrivileges<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid!(65_534);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}

/** As whom to start a program that refuses to be run by the superuser. */
export function ordinaryUser(): { uid?: number; gid?: number } {
  return process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
}
