// Numbers as the language of the person writes them.
import { locale } from '../../words/words.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** With at least and at most so many digits after the decimal sign. */
export function numberText(value: number, least = 0, most = least): string {
  const key = `${locale.value} ${least} ${most}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(locale.value, {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    })
    formats.set(key, format)
  }
  return format.format(value)
}
