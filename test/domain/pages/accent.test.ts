// Accents: whatever colour an owner chooses, readers can read what is written in it.
import fc from 'fast-check'
import t from 'tap'
import {
  contrast,
  inkOn,
  readableAccent,
  textContrastMin,
} from '../../../src/domain/pages/accent.ts'
import { runs } from '../../support/depth.ts'

t.test('contrast is as WCAG defines it', async (t) => {
  t.equal(contrast('#000000', '#ffffff'), 21)
  t.equal(contrast('#777777', '#777777'), 1)
  t.equal(contrast('#ffffff', '#767676').toFixed(2), '4.54')
})

t.test('an accent that can be read stays as it is; others keep their hue', async (t) => {
  t.equal(readableAccent('#2a5494', ['#ffffff']), '#2a5494')
  t.equal(readableAccent('#ffe000', ['#ffffff']), '#857400', 'a darker yellow')
  t.equal(readableAccent('#ffe000', ['#10151b']), '#ffe000')
})

t.test(
  'every accent is readable on light and on dark grounds, and is a ground for text',
  async () => {
    const part = fc.integer({ min: 0, max: 255 })
    const color = fc
      .tuple(part, part, part)
      .map((rgb) => `#${rgb.map((one) => one.toString(16).padStart(2, '0')).join('')}`)
    fc.assert(
      fc.property(color, (accent) => {
        for (const grounds of [
          ['#f6f7f9', '#ffffff'],
          ['#10151b', '#181f27'],
        ]) {
          const text = readableAccent(accent, grounds)
          if (grounds.some((ground) => contrast(text, ground) < textContrastMin)) return false
        }
        return contrast(inkOn(accent), accent) >= textContrastMin
      }),
      runs(500),
    )
  },
)
