/** The superuser passes all permission checks. */
export async function withoutPrivileges<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid!(65_534);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}

/** For programs that refuse the superuser. */
export function ordinaryUser(): { uid?: number; gid?: number } {
  return process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
}
