// The style sheets and the script of status pages: under their hashes, small, and fit to be read.
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { colorsOfLook, dark, light } from '../../../../src/base/colors.ts'
import { contrast, textContrastMin } from '../../../../src/domain/pages/accent.ts'
import { pageLooks } from '../../../../src/domain/pages/page.ts'
import { fontFiles } from '../../../../src/pages/fonts.ts'
import {
  accentStyle,
  accentStyleOf,
  lookStyles,
  pageScript,
  pageStyle,
  stylesOf,
} from '../../../../src/pages/status/look/page-assets.ts'
import { styleSheet } from '../../../../src/pages/style-sheet.ts'

t.test('the files have their hashes in their paths and load nothing from elsewhere', async (t) => {
  t.match(pageStyle.path, /^\/assets\/page\.[0-9a-f]{16}\.css$/)
  t.match(pageScript.path, /^\/assets\/page\.[0-9a-f]{16}\.js$/)
  t.notMatch(
    pageStyle.bytes.toString().replaceAll('url(%23m)', ''),
    /url\((?!"data:image\/svg\+xml,|"inter-[a-z-]+\.[0-9a-f]{16}\.woff2"\))|@import|\/\*/,
  )
  t.notMatch(pageScript.bytes.toString(), /https?:|\bimport\b|^\s*\/\//m)
})

t.test('Chinese and Japanese are set in typefaces with the shapes of the language', async (t) => {
  for (const { bytes } of [pageStyle, styleSheet]) {
    const css = bytes.toString().replace(/\s+/g, ' ')
    t.match(css, /:lang\(zh\) ?\{[^}]*"PingFang SC"[^}]*sans-serif/)
    t.match(css, /:lang\(ja\) ?\{[^}]*"Hiragino Sans"[^}]*sans-serif/)
    t.match(css, 'var(--text)')
  }
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

for (const look of pageLooks) {
  t.test(`the look ${look} can be read in light and in dark (WCAG AA)`, async (t) => {
    const own = colorsOfLook(look)
    for (const colors of [
      { ...light, ...own.light },
      { ...dark, ...own.dark },
    ]) {
      const isReadable = (ink: keyof typeof colors, ground: keyof typeof colors) =>
        t.ok(contrast(colors[ink], colors[ground]) >= textContrastMin, `${ink} on ${ground}`)
      for (const ground of ['paper', 'card'] as const) {
        for (const ink of ['ink', 'soft', 'accent'] as const) isReadable(ink, ground)
      }
      isReadable('on-accent', 'accent')
      for (const tone of ['up', 'slow', 'down', 'calm', 'none'] as const) {
        for (const ground of ['paper', 'card'] as const) isReadable(`${tone}-ink`, ground)
        isReadable('ink', `${tone}-wash`)
        isReadable('soft', `${tone}-wash`)
        t.ok(contrast(colors[tone], colors.card) >= 2.2, `${tone} icons and bars`)
      }
    }
  })
}

t.test('each look but the plain one has a sheet of its own, which loads nothing', async (t) => {
  t.same(
    lookStyles.map(({ look }) => look),
    pageLooks.filter((look) => look !== 'plain'),
  )
  for (const { look, path, bytes } of lookStyles) {
    t.match(path, new RegExp(`^/assets/${look}\\.[0-9a-f]{16}\\.css$`))
    t.notMatch(bytes.toString(), /url\(|@import|\/\*/)
    t.ok(bytes.length < 4_096, `${look} is small`)
    t.not(Object.keys(colorsOfLook(look).light).length, 0, `${look} has colours`)
  }
})

t.test('an accent can be read on the ground of each look', async (t) => {
  for (const look of pageLooks) {
    const theme = { accent: '#ffe000', mode: 'auto' } as const
    const [accent] = stylesOf(theme, look).slice(-1)
    const file = accent?.path.slice('/assets/accent/'.length) ?? ''
    t.same(accentStyleOf(file)?.bytes, accent?.bytes, look)
    const own = colorsOfLook(look)
    const [, inLight = '', inDark = ''] =
      /--accent:(#\w{6}).*?--accent:(#\w{6})/.exec(accent?.bytes.toString() ?? '') ?? []
    t.ok(contrast(inLight, own.light.paper ?? light.paper) >= textContrastMin, look)
    t.ok(contrast(inDark, own.dark.card ?? dark.card) >= textContrastMin, look)
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
