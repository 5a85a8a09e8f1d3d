// Times for people, in English and UTC: '29 November 2026, 11:36 UTC'.

const months: readonly string[] = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]

/** The time to the minute. */
export function timeText(atMs: number): string {
  return textOf(atMs, 'hh:mm'.length)
}

/** The time to the second: '29 November 2026, 11:36:05 UTC'. */
export function secondText(atMs: number): string {
  return textOf(atMs, 'hh:mm:ss'.length)
}

function textOf(atMs: number, clockChars: number): string {
  const at = new Date(atMs)
  const date = `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`
  return `${date}, ${at.toISOString().slice(11, 11 + clockChars)} UTC`
}
