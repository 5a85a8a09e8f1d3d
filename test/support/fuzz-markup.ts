// XML, HTML and CSS selectors for fuzzing: of every shape that is hard on something, up to 64 KiB.
import { parseMarkup } from '../../src/domain/assertions/markup.ts'
import type { Dice } from './fuzz.ts'
import { documentChars, inheritedKeys } from './fuzz-json.ts'

function many(piece: string, chars = documentChars): string {
  return piece.repeat(Math.floor(chars / piece.length))
}

const card = '<div class="row a"><a href="/x?y=1" id=q>some text</a><span>more</span></div>\n'

/** The hard ones. */
export const hardMarkup: readonly (readonly [name: string, text: string])[] = [
  ['open tags', many('<p>')],
  ['closed tags', many('</p>')],
  ['empty tags', many('<br>')],
  ['tags and texts', many('<li>a')],
  ['a list', `<ul>${many('<li>item</li>', 60_000)}</ul>`],
  ['short elements', `<r>${many('<b/>', 40_000)}</r>`],
  ['classes', many('<p class="a b c">x</p>')],
  ['a page', many(card)],
  ['a document', `<r>${many('<row id="1"><a>x</a><b>y</b></row>', 60_000)}</r>`],
  ['deep', `${'<b>'.repeat(500)}x${'</b>'.repeat(500)}`],
  ['deep and wide', `${'<b>'.repeat(500)}${many('<i></i>', 50_000)}`],
  ['deep with texts', many(`${'<b>x'.repeat(20)}${'</b>'.repeat(20)}`)],
  ['too deep', many('<i>')],
  ['deep, and closes what is not open', `${'<b>'.repeat(500)}${many('</x>', 60_000)}`],
  ['deep, and closes paragraphs', `${'<b>'.repeat(500)}${many('</p>', 60_000)}`],
  ['deep, and opens paragraphs', `${'<b>'.repeat(500)}${many('<p>', 60_000)}`],
  ['deep attributes', `${'<b>'.repeat(500)}${many('<i a b c></i>', 60_000)}`],
  ['attributes', `<a ${Array.from({ length: 12_000 }, (_, i) => i.toString(36)).join(' ')}>`],
  ['a long attribute', `<a b="${many('x y ')}">`],
  ['entities', `<r>${many('&amp;')}</r>`],
  ['broken entities', many('&notit;')],
  ['ampersands', many('&')],
  ['angle brackets', many('<')],
  ['comments', many('<!--')],
  ['a document type', `<!DOCTYPE r [${many('<!ENTITY a "&b;&b;">', 60_000)}]><r>&a;</r>`],
  ['blanks', `${many(' ', 60_000)}<r/>`],
  ['scripts', many('<script><p></script>')],
  ['foreign elements', many('<svg><a></svg>')],
  ['forms', many('<form><p><h1>')],
  ['tables', many('<table><tr><td>')],
  ['a long text', `<p>${many('a')}`],
  ['inherited names', many(inheritedKeys.map((key) => `<${key} ${key}="1">x</${key}>`).join(''))],
]

/** What is read of one: the selectors are tried on these. */
export const markupDocuments = hardMarkup.flatMap(([name, text]) =>
  (['html', 'xml'] as const).flatMap((format) => {
    const markup = parseMarkup(text, format)
    return 'problem' in markup ? [] : [{ name: `${name} as ${format}`, text, markup }]
  }),
)

const simple = ['*', 'p', 'b', 'i', 'a', 'li', '.a', '#q', '[href]', '[class~=b]', '[id^="1" i]']
const pseudo = [
  ...[':first-child', ':last-child', ':nth-child(2n+1)', ':nth-last-child(3)', ':only-child'],
  ...[':first-of-type', ':nth-of-type(2)', ':nth-last-of-type(2n)', ':only-of-type', ':empty'],
  ...[
    ':contains("x")',
    ':icontains(zz)',
    ':root',
    ':parent',
    ':has(> x)',
    ':has(+ *)',
    ':has(~ x)',
  ],
  ...[':not(:has(x))', ':is(a b, c d)', ':nth-child(2n of a)', ':scope', ':h\\61s(+ *)', ':link'],
]
const combinators = [' ', ' > ', ' + ', ' ~ ', ', ', ' < ', ' || ', '  ']

export const selectorPieces: readonly string[] = [
  ...simple,
  ...pseudo,
  ...combinators,
  ...[
    '(',
    ')',
    '[',
    ']',
    '"',
    "'",
    '\\',
    ':',
    '::',
    '@',
    '@a',
    '@href',
    '=',
    '|',
    '\0',
    '\n',
    '😀',
  ],
  ...inheritedKeys,
]

export function grownSelector(dice: Dice, depth = 2): string {
  const part = (): string => {
    let text = dice.pick(simple)
    if (dice.chance(0.4)) text += dice.pick(pseudo)
    if (depth > 0 && dice.chance(0.2)) {
      const name = dice.pick(['not', 'is', 'has', 'where', 'matches'])
      text += `:${name}(${grownSelector(dice, depth - 1)})`
    }
    return text
  }
  let text = part()
  for (let left = dice.below(4); left > 0; left--) text += dice.pick(combinators) + part()
  return depth === 2 && dice.chance(0.2) ? `${text}@${dice.pick(['href', 'class', 'id'])}` : text
}
