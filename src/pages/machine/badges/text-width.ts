// How wide a text is in Verdana, the font of badges; a reader may have another one.
//
// Widths at 11 px, in hundredths of a pixel, from space to tilde. Source: Verdana's metrics, as in
// https://github.com/metabolize/anafanafo.
const asciiWidths = [
  387, 433, 505, 900, 699, 1184, 799, 295, 500, 500, 699, 900, 400, 500, 400, 500, 699, 699, 699,
  699, 699, 699, 699, 699, 699, 699, 500, 500, 900, 900, 900, 600, 1100, 752, 754, 768, 848, 696,
  632, 853, 827, 463, 500, 762, 612, 927, 823, 866, 663, 866, 765, 752, 678, 805, 752, 1088, 754,
  677, 754, 500, 500, 500, 900, 699, 699, 661, 685, 573, 685, 655, 387, 685, 696, 302, 379, 651,
  302, 1070, 696, 668, 685, 685, 469, 573, 433, 696, 651, 900, 651, 651, 578, 698, 500, 698, 900,
]

const firstAscii = 32
/** The width of most letters of other alphabets; ideographs and everything else have the widest one. */
const letterWidth = 750
const widestWidth = 1_200

/** The width in pixels, at 11 px. Characters that are not in the table rather count too wide. */
export function textWidth(text: string): number {
  let width = 0
  // An accent takes no space of its own.
  for (const char of text.normalize('NFD')) width += charWidth(char)
  return width / 100
}

function charWidth(char: string): number {
  const known = asciiWidths[(char.codePointAt(0) ?? 0) - firstAscii]
  if (known !== undefined) return known
  if (/^[\p{Mark}\p{Cf}]$/u.test(char)) return 0
  return /^[\p{Script=Latin}\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}]$/u.test(
    char,
  )
    ? letterWidth
    : widestWidth
}
