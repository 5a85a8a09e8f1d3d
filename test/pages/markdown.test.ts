// Markdown of people: what readers of a page see of it, what it cannot do, and how long it may take.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { required } from '../../src/base/assert.ts'
import { checkedMarkup, toText } from '../../src/pages/html.ts'
import {
  asOneDocument,
  documentMarkdownCharsMax,
  markdown,
  markdownCharsMax,
  markdownMarkupCharsMax,
  plainText,
} from '../../src/pages/markdown.ts'
import { leastMs } from '../support/starvation.ts'
import { payloads } from '../support/xss-payloads.ts'

const show = (text: string, above: 1 | 2 | 3 | 4 = 2) => {
  const made = markdown(text, above)
  if (made === null) return null
  const [, inside = ''] =
    /^<div class="prose" dir="auto">([\s\S]*)<\/div>$/.exec(toText(made)) ?? []
  return inside.trim()
}

t.test('the usual marks become the usual elements, and line breaks stay', async (t) => {
  t.equal(show('Two\nlines'), '<p>Two<br>\nlines</p>')
  t.equal(
    show('**bold** *soft* ~~gone~~ `code`'),
    '<p><strong>bold</strong> <em>soft</em> <s>gone</s> <code>code</code></p>',
  )
  t.equal(show('- a\n- b'), '<ul>\n<li>a</li>\n<li>b</li>\n</ul>')
  t.equal(show('3. c'), '<ol start="3">\n<li>c</li>\n</ol>')
  t.equal(show('> so it was'), '<blockquote>\n<p>so it was</p>\n</blockquote>')
  t.equal(show('```sh\nls <dir>\n```'), '<pre><code>ls &lt;dir&gt;\n</code></pre>')
  t.equal(show('---'), '<hr>')
  t.equal(show(' \n '), null)
})

t.test('links lead to the web or a mail address, and say nothing about the page', async (t) => {
  const rel = 'rel="nofollow noopener noreferrer"'
  t.equal(
    show('[a](https://a.test/?b=1&c)'),
    `<p><a href="https://a.test/?b=1&amp;c" ${rel}>a</a></p>`,
  )
  t.match(show('See http://a.test/b.'), `<a href="http://a.test/b" ${rel}>http://a.test/b</a>.`)
  t.match(show('Write to help@a.test'), `<a href="mailto:help@a.test" ${rel}>help@a.test</a>`)
  t.equal(show('README.md and a.test'), '<p>README.md and a.test</p>')
  for (const url of [
    'javascript:a()',
    '//a.test',
    '/path',
    '#part',
    'data:text/html,a',
    'ftp://a',
  ]) {
    t.notMatch(show(`[a](${url})`), '<a', url)
  }
})

t.test('images, tables and HTML are text', async (t) => {
  t.notMatch(show('![logo](https://a.test/i.png)'), '<img')
  t.equal(show('<b>a</b> <br> &lt; &amp;'), '<p>&lt;b&gt;a&lt;/b&gt; &lt;br&gt; &lt; &amp;</p>')
  t.notMatch(show('|a|\n|-|\n|b|'), '<table')
})

t.test('headings come below the heading of the page, without a gap', async (t) => {
  t.equal(show('# a\n## b\n### c', 2), '<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>')
  t.equal(show('### c\n# a\n### c', 2), '<h3>c</h3>\n<h3>a</h3>\n<h4>c</h4>')
  t.match(show('# a\n## b\n### c\n#### d\n##### e', 4), /<h6>e<\/h6>$/)
})

/** Every tag that Markdown may make. */
const harmless =
  /^<\/?(p|a|br|hr|strong|em|s|code|pre|ul|ol|li|blockquote|h[3-6])( start="\d+")?>$|^<a href="(https?:\/\/|mailto:)[^"<>]*" rel="nofollow noopener noreferrer">$/

t.test('no payload of an attacker becomes more than text and links', async (t) => {
  t.ok(payloads.length >= 60)
  for (const [index, payload] of payloads.entries()) {
    const texts = [
      payload,
      `[a](${payload})`,
      `[a](<${payload}>)`,
      `[a](https://a.test "${payload}")`,
      `![${payload}](${payload})`,
      `<${payload}>`,
      `\`\`\`${payload}\n${payload}\n\`\`\``,
      `# ${payload}\n> ${payload}\n- ${payload}`,
      `[a]\n\n[a]: ${payload}`,
      `https://a.test/${payload}`,
    ]
    const markups = texts.map((text) => show(text) ?? '')
    const tags = markups.flatMap((markup) => markup.match(/<[^>]*>?/g) ?? [])
    t.same(
      tags.filter((tag) => !harmless.test(tag)),
      [],
      `payload ${index}`,
    )
    const refused = markups.filter((markup) => /^<pre>(?!<code>)/.test(markup))
    t.same(refused, [], `what the library makes of payload ${index} is allowed`)
  }
})

t.test('what the library should never make is refused as a whole', async (t) => {
  for (const markup of [
    '<script>',
    '<p class="a">',
    '<img src="https://a.test">',
    '<a href="javascript:a()" rel="nofollow noopener noreferrer">',
    '<a href="https://a.test" onclick="a()" rel="nofollow noopener noreferrer">',
    '<a href="https://a.test">',
    '<p',
    'a < b',
  ]) {
    t.equal(checkedMarkup(markup), null, markup)
  }
  t.equal(toText(required(checkedMarkup('<p>\u0000\u001b</p>'))), '<p>\ufffd\ufffd</p>')
})

t.test('only Markdown makes markup that html did not write', async (t) => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const callers = files
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => readFileSync(`src/${file}`, 'utf8').includes('checkedMarkup('))
  t.same(callers.toSorted(), ['pages/html.ts', 'pages/markdown.ts'])
})

t.test('texts made to be slow are not, and make no endless page', async (t) => {
  const seeds = [
    ...['>', '[', '[[', '![', '*a ', '**', '_a', '`', '``a', '<', '- ', '1. ', '>- ', '~a~', '&#'],
    ...['[a](', '[a](<', '[a]: b\n', '[a][', '# ', 'a\n=\n', '```\n', '***', '[a](b "', '\\'],
    ...[
      'http://',
      'http://a.b/((',
      'a@',
      'a@b.c ',
      'mailto:',
      '|a\n|-\n',
      '*a **b ',
      '- a\n  ',
      '\n',
    ],
  ]
  const size = markdownCharsMax
  const deep = Array.from({ length: 180 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')
  const quoted = Array.from({ length: 180 }, (_, depth) => `${'>'.repeat(depth)}a`).join('\n')
  const texts = [...seeds.map((seed) => seed.repeat(size).slice(0, size)), deep, quoted]
  show('warm')
  for (const text of texts) {
    let markup = ''
    const tookMs = leastMs(1_000, () => {
      markup = show(text.slice(0, size)) ?? ''
    })
    t.ok(tookMs < 1_000, `${JSON.stringify(text.slice(0, 12))} took ${Math.round(tookMs)} ms`)
    t.ok(markup.length <= markdownMarkupCharsMax + size * 6)
    t.ok((markup.match(/<(ul|blockquote)>/g) ?? []).length <= size)
  }
})

t.test('a text is rendered once, and one that is too long is shown as it is', async (t) => {
  t.equal(markdown('**again**', 2), markdown('**again**', 2))
  t.not(markdown('**again**', 2), markdown('**again**', 3))
  t.match(show(`**${'a'.repeat(markdownCharsMax)}`), /^<pre>\*\*aaa/)
})

t.test('without its marks a text is one line', async (t) => {
  t.equal(
    plainText('# We are **back**\n\n- see [here](https://a.test)\n- `code`'),
    'We are back see here code',
  )
  t.equal(plainText('a\nb\n\n```\nc\n```'), 'a b c')
  t.equal(plainText('<b>a</b>'), '<b>a</b>')
})

t.test(
  'the texts of one document are read up to a bound together, then shown as written',
  async (t) => {
    const long = `**bold** ${'a@b.test '.repeat(500)}`
    const texts = Array.from({ length: 200 }, (_, at) => `${at} ${long}`)
    const shown = asOneDocument(() => texts.map((text) => toText(required(markdown(text, 2)))))
    const read = shown.filter((one) => one.includes('<strong>')).length
    t.ok(read >= 15 && read <= documentMarkdownCharsMax / long.length, `${read} texts`)
    t.ok(shown.slice(read).every((one) => one.includes('<pre>') && one.includes('**bold**')))
    t.same(
      asOneDocument(() => texts.map((text) => toText(required(markdown(text, 2))))),
      shown,
    )
    t.match(
      toText(required(markdown(texts[199] ?? '', 2))),
      '<strong>',
      'outside of it each by itself',
    )
    t.equal(asOneDocument(() => texts.map(plainText)).at(-1), texts.at(-1))
  },
)
