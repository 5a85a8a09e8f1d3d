// Counts in words: one form for one, another for the rest, as English and German need.

/** Texts that hold a count have this shape in every catalogue. */
export type Counted = (count: number) => string

export function counted(one: string, many: string, locale: string): Counted {
  const format = new Intl.NumberFormat(locale)
  return (count) => (count === 1 ? one : many).replace('#', format.format(count))
}
