// The style sheets and the script of status pages: under their hashes, small, and fit to be read.
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { dark, light } from '../../../../src/base/colors.ts'
import { contrast, textContrastMin } from '../../../../src/domain/pages/accent.ts'
import { fontFiles } from '../../../../src/pages/fonts.ts'
import {
  accentStyle,
  accentStyleOf,
  pageScript,
  pageStyle,
} from '../../../../src/pages/status/look/page-assets.ts'

t.test('the files have their hashes in their paths and load nothing from elsewhere', async (t) => {
  t.match(pageStyle.path, /^\/assets\/page\.[0-9a-f]{16}\.css$/)
  t.match(pageScript.path, /^\/assets\/page\.[0-9a-f]{16}\.js$/)
  t.notMatch(
    pageStyle.bytes.toString().replaceAll('url(%23m)', ''),
    /url\((?!"data:image\/svg\+xml,|"inter-[a-z-]+\.[0-9a-f]{16}\.woff2"\))|@import|\/\*/,
  )
  t.notMatch(pageScript.bytes.toString(), /https?:|\bimport\b|^\s*\/\//m)
})

t.test('the script takes at most two KiB', async (t) => {
  t.ok(gzipSync(pageScript.bytes, { level: 9 }).length <= 2_048)
})

t.test('text has enough contrast in light and in dark (WCAG AA)', async (t) => {
  for (const colors of [light, dark]) {
    for (const ground of ['paper', 'card'] as const) {
      for (const ink of ['ink', 'soft'] as const) {
        t.ok(contrast(colors[ink], colors[ground]) >= textContrastMin, `${ink} on ${ground}`)
      }
    }
    for (const tone of ['up', 'slow', 'down', 'calm', 'none'] as const) {
      t.ok(contrast(colors[`${tone}-ink`], colors.card) >= textContrastMin, `${tone} text`)
      t.ok(contrast(colors[`${tone}-ink`], colors.paper) >= textContrastMin, `${tone} under hover`)
      t.ok(contrast(colors.ink, colors[`${tone}-wash`]) >= textContrastMin, `${tone} banner`)
      t.ok(contrast(colors.soft, colors[`${tone}-wash`]) >= textContrastMin, `${tone}, its time`)
      t.ok(contrast(colors[tone], colors.card) >= 2.2, `${tone} icons and bars`)
    }
  }
})

t.test('the typeface lies beside the style sheet, in parts of less than 100 KiB', async (t) => {
  for (const { path, bytes } of fontFiles) {
    t.match(pageStyle.bytes.toString(), `url("${path.slice('/assets/'.length)}")`)
    t.equal(bytes.subarray(0, 4).toString(), 'wOF2')
    t.ok(bytes.length < 100 * 1_024, path)
  }
})

t.test('an accent has a sheet of its own, which no page has to exist for', async (t) => {
  const { path, bytes } = accentStyle('#ffe000')
  t.match(path, /^\/assets\/accent\/ffe000\.[0-9a-f]{16}\.css$/)
  t.match(bytes.toString(), 'border-top:.25rem solid #ffe000')
  const file = path.slice('/assets/accent/'.length)
  t.same(accentStyleOf(file)?.bytes, bytes)
  for (const wrong of [
    '',
    'ffe000.css',
    file.replace('ffe000', 'ffe001'),
    `${file}x`,
    `../${file}`,
  ]) {
    t.equal(accentStyleOf(wrong), undefined, wrong)
  }
})
