// Text that a check sends, in the form that monitors of a port have it.

/** A backslash begins an escape there (probes/run/escapes.ts). */
export function sentText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
}
