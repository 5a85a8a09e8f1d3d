// Sizes in bytes and counts as people read them.

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Rounds to two digits or a whole number: 1,536 becomes "1.5 KiB", 734 stays "734 B". */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  return `${Number(value.toFixed(value < 10 ? 1 : 0))} ${units[power]}`
}

/** 1234567 becomes "1,234,567". Unlike toLocaleString, it loads no rules of languages. */
export function countText(count: number): string {
  const digits = String(count)
  const first = digits.length % 3
  const groups = first === 0 ? [] : [digits.slice(0, first)]
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3))
  return groups.join(',')
}
