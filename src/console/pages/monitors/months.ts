// The months that a monitor has reports of.
const monthsShown = 24

/** The months since the monitor exists, newest first, in UTC as the API counts them. */
export function monthsSince(createdAt: string, nowMs: number): string[] {
  const first = createdAt.slice(0, 7)
  const now = new Date(nowMs)
  const months: string[] = []
  for (let back = 0; back < monthsShown; back += 1) {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    const month = at.toISOString().slice(0, 7)
    if (month < first) break
    months.push(month)
  }
  return months
}
