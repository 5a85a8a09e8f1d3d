// "Did you mean …": finds the known name closest to a mistyped one.

/** Levenshtein distance: single-character edits between two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Returns the nearest of `names`, or undefined if none is near. Ignores case, '_', '-' and '.'. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string) => text.slice(0, 100).toLowerCase().replace(/[-_.]/g, '')
  let best: string | undefined
  // Up to a third of the letters may be wrong.
  let least = Math.ceil(plain(name).length / 3) + 1
  for (const candidate of names) {
    const edits = distance(plain(name), plain(candidate))
    if (edits < least) {
      best = candidate
      least = edits
    }
  }
  return best
}
