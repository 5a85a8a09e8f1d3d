// Where a text occurs in another: in linear time, because both may be hostile.

/** Up to this product of lengths the engine's own search is fast enough in the worst case. */
const nativeWorkMax = 2 ** 24

/** The index of the first occurrence; -1 if there is none. */
export function placeOf(text: string, wanted: string): number {
  if (text.length * wanted.length <= nativeWorkMax) return text.indexOf(wanted)
  // D. Knuth, J. Morris, V. Pratt, "Fast Pattern Matching in Strings" (1977). The engine's search takes
  // 190 ms for 1,000 characters of `a` around a `b`, in a mebibyte of `a`.
  const back = prefixesOf(wanted)
  let matched = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = back[matched - 1] ?? 0
    if (wanted.charCodeAt(matched) === unit) matched += 1
    if (matched === wanted.length) return at + 1 - matched
  }
  return -1
}

/** For each end in the text, the length of the text's beginning that ends there, too. */
function prefixesOf(wanted: string): Int32Array {
  const back = new Int32Array(wanted.length)
  let matched = 0
  for (let at = 1; at < wanted.length; at += 1) {
    const unit = wanted.charCodeAt(at)
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = back[matched - 1] ?? 0
    if (wanted.charCodeAt(matched) === unit) matched += 1
    back[at] = matched
  }
  return back
}

export function occursIn(text: string, wanted: string): boolean {
  return placeOf(text, wanted) >= 0
}
