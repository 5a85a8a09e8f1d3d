// The ids of UptimeRobot are numbers.

const ulidChars = 26

/** An id in the document that is made; undefined for what is no number. */
export function documentIdOf(prefix: 'mon' | 'chn', id: unknown): string | undefined {
  const text = String(id)
  return /^0*\d{1,20}$/.test(text) ? `${prefix}_${text.padStart(ulidChars, '0')}` : undefined
}
