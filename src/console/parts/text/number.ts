// Numbers as the language of the person writes them.
import { computed } from '@preact/signals'
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

const isSignFirst = computed(() =>
  new Intl.NumberFormat(locale.value, { style: 'percent' }).format(0).startsWith('%'),
)

/** With the sign where the language has it: `98.4 %`, in Turkish `%98,4`. */
export function percentText(value: number, least = 0, most = least): string {
  const text = numberText(value, least, most)
  return isSignFirst.value ? `%${text}` : `${text} %`
}
