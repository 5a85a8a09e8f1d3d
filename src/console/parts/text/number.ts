// Numbers as the language of the person writes them.
import { computed } from '@preact/signals'
import { type TimeUnit, timeWords, unitOf } from '../../../texts/time-words.ts'
import { isRightToLeft } from '../../words/direction.ts'
import { language, locale } from '../../words/words.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** With at least and at most so many digits after the decimal sign. */
export function numberText(value: number, least = 0, most = least): string {
  // Every language of the console writes these alike. What is drawn first has no other numbers, and so
  // does not wait for the tables of a formatter.
  if (least === 0 && Number.isInteger(value) && value >= 0 && value < 1_000) return String(value)
  return formatted(value, { minimumFractionDigits: least, maximumFractionDigits: most })
}

/** What the language writes before and after the number of a percentage. */
const percentFrame = computed(() => {
  const [before = '', after = ''] = new Intl.NumberFormat(locale.value, { style: 'percent' })
    .format(0)
    .split('0')
  return { before, after }
})

/** With the sign where the language has it: `98.4%`, in German `98,4 %`, in Turkish `%98,4`. */
export function percentText(value: number, least = 0, most = least): string {
  const { before, after } = percentFrame.value
  return fromLeft(`${before}${numberText(value, least, most)}${after}`)
}

/** A time in one unit. */
export function timeText(value: number, unit: TimeUnit, least = 0, most = least): string {
  return timeWords(locale.value).amount(value, unit, least, most)
}

/** A unit that stands alone, by its symbol in print. */
export function symbolOf(symbol: string): string {
  const unit = unitOf(symbol)
  return unit === undefined ? symbol : timeWords(locale.value).symbol(unit)
}

/** The symbol stands to the right of the number even where the text runs from right to left. */
export function withSymbol(number: string, symbol: string): string {
  return fromLeft(`${number} ${symbol}`)
}

function fromLeft(text: string): string {
  return isRightToLeft(language.value) ? `\u2066${text}\u2069` : text
}

function formatted(value: number, options: Intl.NumberFormatOptions): string {
  const key = `${locale.value} ${Object.values(options).join(' ')}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(locale.value, options)
    formats.set(key, format)
  }
  return format.format(value)
}
