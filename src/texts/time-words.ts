// Amounts of time and points in time as readers of a language write them: `3 h 12 min`, `3 Std. 12 Min.`, `3小时12分钟`. The
// same in the console, on pages and in alerts.

/** Symbols, as they are set in print. Other languages have short words of their own in CLDR. */
const symbols = { day: 'd', hour: 'h', minute: 'min', second: 's', millisecond: 'ms' } as const

export type TimeUnit = keyof typeof symbols

type TimeWords = ReturnType<typeof createTimeWords>

/** For a locale of Intl. */
export const timeWords = createTimeWordsByTag()

/** Making an Intl formatter takes about a hundred microseconds, so they are kept. There are few locales. */
function createTimeWordsByTag() {
  const kept = new Map<string, TimeWords>()
  return (tag: string): TimeWords => {
    const made = kept.get(tag) ?? createTimeWords(tag)
    kept.set(tag, made)
    return made
  }
}

function createTimeWords(tag: string) {
  const isEnglish = tag.startsWith('en')
  const isWithoutSpaces = /^(ja|zh)/.test(tag)
  const formats = new Map<string, Intl.NumberFormat>()

  function formatOf(unit: TimeUnit, least: number, most: number): Intl.NumberFormat {
    const key = `${unit} ${least} ${most}`
    const digits = { minimumFractionDigits: least, maximumFractionDigits: most }
    const style = { style: 'unit', unit, unitDisplay: 'short' } as const
    const format =
      formats.get(key) ?? new Intl.NumberFormat(tag, isEnglish ? digits : { ...style, ...digits })
    formats.set(key, format)
    return format
  }

  /** Such as `120 ms`, with at least and at most so many digits after the decimal sign. */
  function amount(value: number, unit: TimeUnit, least = 0, most = least): string {
    const text = formatOf(unit, least, most).format(value)
    if (isEnglish) return `${text} ${symbols[unit]}`
    return isWithoutSpaces ? text.replace(/\s/g, '') : text
  }

  /** The two largest units that matter: `3 h 12 min`. */
  function span(seconds: number): string {
    const whole = Math.max(0, Math.round(seconds))
    const parts = [
      [Math.floor(whole / 86_400), 'day'],
      [Math.floor(whole / 3_600) % 24, 'hour'],
      [Math.floor(whole / 60) % 60, 'minute'],
      [whole % 60, 'second'],
    ] as const
    const first = parts.findIndex(([count]) => count > 0)
    if (first < 0) return amount(0, 'second')
    return parts
      .slice(first, first + 2)
      .filter(([count]) => count > 0)
      .map(([count, unit]) => amount(count, unit))
      .join(isWithoutSpaces ? '' : ' ')
  }

  /** A unit that stands alone, such as behind a field. */
  function symbol(unit: TimeUnit): string {
    const parts = isEnglish ? [] : formatOf(unit, 0, 0).formatToParts(1)
    return parts.find(({ type }) => type === 'unit')?.value ?? symbols[unit]
  }

  return { amount, span, symbol }
}

/** The unit that a symbol of print means, such as `min`. */
export function unitOf(symbol: string): TimeUnit | undefined {
  const found = Object.entries(symbols).find(([, one]) => one === symbol)
  // The keys are those of the table above.
  return found?.[0] as TimeUnit | undefined
}

/** A point in time in a locale of Intl, to the minute or the second: `29. November 2026 um 11:36 UTC`. */
export function utcTimeIn(tag: string, atMs: number, hasSeconds = false): string {
  // The same digits and hours in every language: numbers in texts have them, too.
  return new Intl.DateTimeFormat(`${tag}-u-nu-latn`, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(hasSeconds ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(atMs)
}
