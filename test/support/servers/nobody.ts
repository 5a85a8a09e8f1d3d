// Whom a server runs as that refuses to run as root.

/** `nobody`, where the test runs as root; else whom it runs as. */
export function nobody(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
}
