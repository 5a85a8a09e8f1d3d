// Lengths of functions, by indentation: the formatter has put each end under its beginning.

export interface LongFunction {
  /** Of its first line, from 1. */
  readonly line: number
  readonly length: number
}

// A declaration, an arrow function with a body, or a method. Parameters may go over several lines.
const beginnings = [
  /^(\s*)(export )?(async )?function\b/,
  /^(\s*)(export )?const \w+.* = (async )?(\(|<|\w+ =>)[^;]*$/,
  /^(\s+)(async )?(?!if\b|for\b|while\b|switch\b|catch\b|return\b)\w+(<.*>)?\([^)]*\)(: .+)? \{$/,
]

/** Functions with more lines of their own than `max`; those inside count for themselves. */
export function longFunctions(text: string, max: number): LongFunction[] {
  const lines = text.split('\n')
  const spans = lines.flatMap((line, start) => {
    const indent = beginnings.map((pattern) => pattern.exec(line)?.[1]).find((s) => s !== undefined)
    if (indent === undefined) return []
    const offset = lines
      .slice(start + 1)
      .findIndex((other) => other.startsWith(`${indent}}`) && !/^\s*\}.*\{$/.test(other))
    const opens = lines.slice(start, start + 1 + Math.max(offset, 0)).some((l) => /\{$/.test(l))
    return offset < 0 || !opens ? [] : [{ start, end: start + 1 + offset }]
  })
  return spans.flatMap(({ start, end }) => {
    const inner = spans.filter((other) => other.start > start && other.end < end)
    const outermost = inner.filter(
      (one) => !inner.some((other) => other.start < one.start && other.end > one.end),
    )
    const nested = outermost.reduce((sum, one) => sum + one.end - one.start + 1, 0)
    const length = end - start + 1 - nested
    return length > max ? [{ line: start + 1, length }] : []
  })
}
