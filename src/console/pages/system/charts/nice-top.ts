// The upper end of an axis: the next number above all values that is easy to read, and to halve.
const steps = [1, 2, 4, 6, 8, 10, 16, 20, 40, 60, 80, 100, 160, 200, 400, 600, 800]

/** `base` is 1,000, or 1,024 for bytes; below 1 it is a tenth of the same. */
export function niceTop(most: number, base: number): number {
  if (most <= 0) return 1
  const power = Math.floor(Math.log(most) / Math.log(base))
  const unit = base ** power
  return unit * (steps.find((step) => step * unit >= most) ?? base)
}
