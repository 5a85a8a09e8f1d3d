// Paths into XML and HTML: what they select, and that none of them takes long.
import t from 'tap'
import { freshBudget } from '../../../src/domain/assertions/budget.ts'
import { cssPathProblem, selectCss, textOfMarkup } from '../../../src/domain/assertions/css-path.ts'
import { type Markup, parseMarkup } from '../../../src/domain/assertions/markup.ts'
import { leastMs } from '../../support/starvation.ts'

function read(text: string, format: 'xml' | 'html'): Markup {
  const found = parseMarkup(text, format)
  if ('problem' in found) throw new Error(found.problem)
  return found
}

const page = read(
  `<!doctype html><html lang=en><head><title> All systems
  operational </title><link rel="canonical" href="https://a.test/x@y"></head>
  <body><h1 id=top class="a B">Hello <b>world</b></h1>
  <ul><li data-n=1>one<li data-n=2>two<li>three</ul><p></p></body></html>`,
  'html',
)
const feed = read(
  `<rss version="2.0"><channel><title>News</title>
  <item><title>A</title><media:thumb url="u1"/></item>
  <item><title>B</title></item></channel></rss>`,
  'xml',
)

t.test('a path selects texts and attributes, in the order of the document', async (t) => {
  const rows: readonly [Markup, string, readonly string[]][] = [
    [page, 'title', ['All systems\n  operational']],
    [page, 'h1', ['Hello world']],
    [page, 'H1.a.B#top', ['Hello world']],
    [page, 'link[rel=canonical]@href', ['https://a.test/x@y']],
    [page, 'link[rel=canonical] @HREF ', ['https://a.test/x@y']],
    [page, '[href="https://a.test/x@y"]@rel', ['canonical']],
    [page, 'li', ['one', 'two', 'three']],
    [page, 'li@data-n', ['1', '2']],
    [page, 'li:nth-child(2)', ['two']],
    [page, 'ul > li:not([data-n])', ['three']],
    [page, 'li:last-of-type, h1 b', ['world', 'three']],
    [page, 'body:has(> h1) p', ['']],
    [page, 'li:contains("wo") + li', ['three']],
    [page, 'html@lang', ['en']],
    [page, 'h2', []],
    [page, ':hover', []],
    [page, 'h1@constructor', []],
    [feed, 'channel > title', ['News']],
    [feed, 'item title', ['A', 'B']],
    [feed, 'rss@version', ['2.0']],
    [feed, 'Item', []],
    [feed, 'media\\:thumb@url', ['u1']],
    [feed, 'item:first-child, item:last-child title', ['B']],
  ]
  for (const [document, path, values] of rows) {
    t.equal(cssPathProblem(path), null, path)
    t.same(selectCss(path, document, freshBudget()), { values }, path)
  }
  t.equal(textOfMarkup(read('<a> x <b>y</b></a>', 'xml')), 'x y')
})

t.test('a path that cannot be used is refused when it is written', async (t) => {
  const rows: readonly [string, RegExp][] = [
    ['', /empty/],
    ['@href', /empty/],
    ['a[', /is not a valid CSS selector: Expected name, found the end of the selector$/],
    ['a:nope', /is not a valid CSS selector/],
    ['a::before', /is not a valid CSS selector/],
    ['ns|a', /is not a valid CSS selector/],
    ['a.', /: Expected name, found \.$/],
    ['a,,b', /is not a valid CSS selector/],
    ['a)', /is not a valid CSS selector/],
    ['$.a', /is not a valid CSS selector/],
    ['//a/b', /is not a valid CSS selector/],
    [`a${'>a'.repeat(150)}`, /at most 256/],
  ]
  for (const [path, expected] of rows) t.match(cssPathProblem(path), expected, path)
})

t.test('an expensive path is abandoned', async (t) => {
  const flat = read(`<a></a>`.repeat(90_000), 'html')
  const deep = read('<d>'.repeat(500) + '<p class="a b c">t</p>'.repeat(500), 'html')
  const paths = [
    ...['a ~ a ~ a ~ q', 'p ~ p ~ p ~ q', ':has(q)', ':not(:has(~ q))', ':has(:has(:has(q)))'],
    ...[':only-child', ':empty', ':nth-last-of-type(3n)', '*', 'd * d * d * q', ':contains("zz")'],
    ...[`${'* '.repeat(120)}q`, `q${' *'.repeat(120)}`, ':is(* *, * * *):not(q *)'],
    ...[':has(+ :has(+ q))', `${':has(~ * '.repeat(20)}q${')'.repeat(20)}`],
    ...[`${':not('.repeat(45)}q${')'.repeat(45)}`, '[class~=b]:nth-child(2n of p ~ p)'],
    ...['[class*="aaaaaaaa" i]', 'p'],
  ]
  for (const document of [flat, deep]) {
    for (const path of paths) {
      const tookMs = leastMs(1_000, () => selectCss(path, document, freshBudget()))
      t.ok(tookMs < 1_000, `${Math.round(tookMs)} ms for ${path.slice(0, 30)}`)
    }
  }
})

t.test('the cost of one path reduces the budget of the next', async (t) => {
  const text = '<a></a>'.repeat(90_000)
  const flat = read(text, 'html')
  const budget = freshBudget()
  const problemOf = (path: string) => selectCss(path, flat, budget, text.length).problem
  t.match(problemOf('a ~ a ~ a'), /too many steps/)
  t.equal(problemOf('q'), undefined)
  t.match(problemOf('a ~ a ~ a'), /too many steps/)
  t.match(problemOf('q'), /too many steps/)
})
