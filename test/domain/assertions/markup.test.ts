// XML and HTML as trees: what is read, what is refused, and how long hostile documents take.
import t from 'tap'
import { type MarkupNode, parseMarkup } from '../../../src/domain/assertions/markup.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { amount } from '../../support/depth.ts'
import { leastMs } from '../../support/starvation.ts'

/** The document as one line: `a[x=1](text b)`. */
function shape(text: string, format: 'xml' | 'html'): string {
  const found = parseMarkup(text, format)
  if ('problem' in found) return `! ${found.problem}`
  const write = (node: MarkupNode): string => {
    if (typeof node === 'string') return node
    const attributes = [...node.attributes].map(([name, value]) => `[${name}=${value}]`).join('')
    const children = node.children.map(write).join('')
    return `${node.name}${attributes}${children && `(${children})`}`
  }
  return found.nodes.map(write).join('')
}

t.test(
  'XML is read with its names, attributes, texts, CDATA and character references',
  async (t) => {
    const rows: readonly [string, string][] = [
      ['<a/>', 'a'],
      ['<a></a>\n', 'a'],
      ['<a b="1" c=\'2 &lt; "3"\'><B/>x</a>', 'a[b=1][c=2 < "3"](Bx)'],
      ['<a>1 &lt; 2 &amp;&#x41;&#66; &apos;</a>', `a(1 < 2 &AB ')`],
      ['<a><![CDATA[<b>&amp;]]></a>', 'a(<b>&amp;)'],
      ['<a><!-- <b> --><?php </a> ?>x</a>', 'a(x)'],
      ['\ufeff<?xml version="1.0"?>\n<!-- c -->\n<!DOCTYPE a>\n<a/>\n<!-- d -->', 'a'],
      ['<atom:feed xmlns:atom="u"><é-1.x/></atom:feed >', 'atom:feed[xmlns:atom=u](é-1.x)'],
      ['<a>3 < 4 & 5</a>', 'a(3 < 4 & 5)'],
    ]
    for (const [text, expected] of rows) t.equal(shape(text, 'xml'), expected, text)
  },
)

t.test('malformed XML is reported with its defect', async (t) => {
  const rows: readonly [string, RegExp][] = [
    ['', /no root element/],
    ['plain text', /text outside/],
    ['{"a":1}', /text outside/],
    ['<a/>x', /text outside/],
    ['<a/><b/>', /more than one root/],
    ['<a>', /ends within an element/],
    ['<a><b></a>', /without an opening tag/],
    ['<a></A>', /without an opening tag/],
    ['</a>', /without an opening tag/],
    ['<a></b></a>', /without an opening tag/],
    ['<a b=c/>', /not quoted/],
    ['<a b/>', /not quoted/],
    ['<a b="1" b="2"/>', /twice/],
    ['<a', /no root element/],
    ['<a b="', /ends within an element/],
    ['<1a/>', /name/],
    ['<a><!-- </a>', /ends within an element/],
    ['<!DOCTYPE a', /ends before/],
    ['<?xml', /ends before/],
    ['<br><p>one<p>two', /ends within an element/],
  ]
  for (const [text, expected] of rows) t.match(shape(text, 'xml'), expected, text)
})

t.test('everything in a document type is ignored', async (t) => {
  const laughs = Array.from({ length: 9 }, (_, i) => {
    return `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`
  })
  const bomb = `<!DOCTYPE a [<!ENTITY l0 "ha"> ${laughs.join('')}]><a>&l9;</a>`
  t.equal(shape(bomb, 'xml'), 'a(&l9;)')
  const file =
    '<!DOCTYPE a [ <!-- ]> --> <!ENTITY x SYSTEM "file:///etc/passwd"> ]><a b="&x;">&x;</a>'
  t.equal(shape(file, 'xml'), 'a[b=&x;](&x;)')
  t.equal(shape(`<!DOCTYPE a [<!ENTITY q '>">'> <?pi > ?>]><a/>`, 'xml'), 'a')
})

t.test('HTML is read as browsers do, whatever it contains', async (t) => {
  const rows: readonly [string, string][] = [
    ['<!DOCTYPE html><p>one<p>two<br>three', 'p(one)p(twobrthree)'],
    ['<UL><LI CLASS=a>x<li>y</UL>', 'ul(li[class=a](x)li(y))'],
    ['<a b=1 b=2 disabled>&nbsp;&eacute;&lt;</a></b>', 'a[b=1][disabled=](\u00a0é<)'],
    ['<script>if (a < b) "</p>"</script>', 'script(if (a < b) "</p>")'],
    ['<svg><linearGradient/></svg>', 'svg(lineargradient)'],
    ['<a __proto__=x constructor=y>z', 'a[__proto__=x][constructor=y](z)'],
    ['hello <b>', 'hello b'],
    ['', '! has no element'],
    ['{"a":1}', '! has no element'],
    ['1 < 2 & <!DOCTYPE html><!-- <p> --></p', '! has no element'],
  ]
  for (const [text, expected] of rows) t.equal(shape(text, 'html'), expected, text)
})

t.test('documents that are too large, too deep or made to be slow end soon', async (t) => {
  const bytes = limits.responseBodyBytesMax
  const full = (piece: string) => piece.repeat(Math.floor(bytes / piece.length))
  t.match(shape(`<r>${full('<a/>')}</r>`, 'xml'), /more than 100000 elements/)
  t.match(shape(full('<b>'), 'html'), /deeper than 512/)
  t.match(shape(`<a ${full('b ')}>`, 'html'), /more than 100000 elements/)
  const pieces = [
    ...['<', '&', '&#x', '&amp', '<!--', '<![CDATA[', '<?', '</p>', '<form>', '<a b=c>x</a>'],
    ...['<!DOCTYPE ', '</lineargradient>', '<title>', '=', ' ', '<script></scrip', '<a b="c'],
  ]
  const begins = ['', '<r>', '<r x="', '<!DOCTYPE r [', `${'<b>'.repeat(500)}`]
  // Each piece after some of the beginnings, in turn; all of them in a deep run.
  const beginsEach = amount(2, begins.length)
  for (const [index, piece] of pieces.entries()) {
    for (const [at, begin] of begins.entries()) {
      if ((at + index * 2) % begins.length >= beginsEach) continue
      const text = begin + full(piece)
      for (const format of ['xml', 'html'] as const) {
        const tookMs = leastMs(1_000, () => parseMarkup(text, format))
        if (tookMs > 1_000) t.fail(`${format} ${begin.slice(0, 20)}${piece}: ${tookMs} ms`)
      }
    }
  }
})
