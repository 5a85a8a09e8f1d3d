// The style sheets that organizations write: what they may say, and that nothing in them leaves the page.
import fc from 'fast-check'
import t from 'tap'
import { pageCssBytesMax, pageCssProblem } from '../../../src/domain/pages/page-css.ts'

t.test('usual style sheets are taken', (t) => {
  for (const css of [
    '',
    'h1 { font-size: 2rem; color: #123456 }',
    '/* ours */\n.card { border-radius: calc(1rem + 2px); box-shadow: 0 1px 2px rgb(0 0 0 / 0.2) }',
    '@media (width < 40rem) { .head > nav a:not(.own)::after { content: "→ \'quoted\'" } }',
    ':root { --accent: oklch(60% 0.1 200) } a:hover { color: var(--accent, red) !important }',
    '@keyframes beat { from { opacity: 0 } 50.5% { transform: scale(1.2) } }',
    '.overall.up { background: linear-gradient(90deg, #fff 10%, hsl(120 50% 80%)) }',
    '@supports (display: grid) { ul { grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)) } }',
    '[dir="rtl"] h2, li:nth-child(2n + 1), p:is(.a, .b) { position: relative }',
    'h1::before {\r\n  content: "Ü – 中 😀"\r\n}',
  ]) {
    t.equal(pageCssProblem(css), null, css)
  }
  t.end()
})

t.test(
  'nothing that could load, escape or cover the window is taken, and the line is named',
  (t) => {
    for (const [css, problem] of [
      ['a { background: url(https://evil.example/a.png) }', 'line 1: must not use url()'],
      ['a {\n  background: URL("x") }', 'line 2: must not use url()'],
      ['@import "https://evil.example/a.css";', 'line 1: must not use @import'],
      ['\n\n@font-face { src: local("x") }', 'line 3: must not use @font-face'],
      ['@namespace "x";', 'line 1: must not use @namespace'],
      ['a { background: image-set("x.png" 1x) }', 'line 1: must not use image-set()'],
      ['a { background: -webkit-image-set("x" 1x) }', 'line 1: must not use -webkit-image-set()'],
      ['a { content: attr(href) }', 'line 1: must not use attr()'],
      ['a { --x: src("x") }', 'line 1: must not use src()'],
      ['a { width: expression(alert(1)) }', 'line 1: must not use expression()'],
      ['a { background: u\\72l(x) }', 'line 1: must not use \\'],
      ['a { content: "\\"; background: url(x) }', 'line 1: must close what " begins'],
      ['a { content: "x\n" }', 'line 1: must close what " begins'],
      ['a { } /* ', 'line 1: must close what / begins'],
      ['div { position: fixed }', 'line 1: must not use fixed: nothing may stay over the page'],
      [
        'div { --p: FIXED; position: var(--p) }',
        'line 1: must not use fixed: nothing may stay over the page',
      ],
      ['div { position: sticky }', 'line 1: must not use sticky: nothing may stay over the page'],
      ['a { color: red', 'must close every {'],
      ['a { color: red }}', 'line 1: must not have a } here'],
      ['a { color: rgb(1,2 }', 'line 1: must not have a } here'],
      ['a { color: \u0000 }', 'line 1: must not use "\\u0000"'],
      [
        '@media all{@media all{@media all{@media all{a{}}}}}',
        'line 1: must not nest so many blocks',
      ],
      [`a{width:${'('.repeat(20)}`, 'line 1: must not nest so many brackets'],
      ['x'.repeat(pageCssBytesMax + 1), 'must have at most 16 KiB'],
    ] as const) {
      t.equal(pageCssProblem(css), problem, css.slice(0, 60))
    }
    t.end()
  },
)

t.test('no text that is taken names anything that loads, however it is written', (t) => {
  const parts = fc.constantFrom(
    ...[
      'url(',
      'URL (',
      '@import ',
      '"',
      "'",
      '\\',
      '/*',
      '*/',
      '\n',
      '\f',
      '{',
      '}',
      '(',
      ')',
      ';',
    ],
    ...['src("x")', 'a', ':', '--x', 'fixed', 'image-set(', '\u0000', '<!--', '-->', '\\75', '\r'],
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 24 }), (pieces) => {
      const css = pieces.join('')
      if (pageCssProblem(css) !== null) return
      // Without texts and comments, which load nothing.
      const rest = css.replace(/\/\*[\s\S]*?\*\/|"[^"]*"|'[^']*'/g, ' ')
      t.notMatch(rest, /url\(|src\(|image-set\(|@import|\\|(?<![\w-])fixed(?![\w-])/i, css)
    }),
  )
  t.end()
})

t.test('the longest style sheet is judged within a moment', (t) => {
  const beginMs = performance.now()
  for (const piece of ['(', '/', '"', '/*', 'a', 'a{', '@', '-', '*/', '\n']) {
    pageCssProblem(piece.repeat(pageCssBytesMax / piece.length))
  }
  t.ok(performance.now() - beginMs < 2_000)
  t.end()
})
