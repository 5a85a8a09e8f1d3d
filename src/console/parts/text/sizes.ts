// Sizes in bytes, as people read them.
import { numberText, withSymbol } from './number.ts'

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** 1536 becomes 1.5 KiB. */
export function bytes(count: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, count)) / 10))
  const value = count / 1024 ** power
  return withSymbol(numberText(value, value < 10 && power > 0 ? 1 : 0), units[power] ?? '')
}
