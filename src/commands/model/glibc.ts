// The C library that this process runs with.

/** Its version; null if it is not glibc. */
export function glibcVersion(): string | null {
  if (!process.report) return null
  // The report would look up the names of every open connection; its type does not know this yet.
  Object.assign(process.report, { excludeNetwork: true })
  return headerIn(process.report.getReport()).glibcVersionRuntime ?? null
}

/** Node documents the report as an object without a type. */
function headerIn(report: unknown): { readonly glibcVersionRuntime?: string } {
  return (report as { readonly header: { readonly glibcVersionRuntime?: string } }).header
}
