// Texts as data: how messages are read, and what is said about files that do not fit.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { TextFile } from '../../scripts/texts/text-files.ts'
import { textProblems } from '../../scripts/texts/text-problems.ts'
import { catalogueOf, phraseOf } from '../../src/texts/message.ts'
import { parseMessage } from '../../src/texts/parse-message.ts'

const english = new Intl.PluralRules('en')
const rules = { formOf: (count: number) => english.select(count), textOf: String }
const phrase = (message: string) => phraseOf(parseMessage(message), rules)

t.test('a number chooses the form of its words, and is written in plain digits', async (t) => {
  const left = phrase(
    '{name}: {days, plural, =0 {less than a day} one {# day} other {# days}} left',
  )
  t.equal(left({ name: 'Shop', days: 0 }), 'Shop: less than a day left')
  t.equal(left({ name: 'Shop', days: 1 }), 'Shop: 1 day left')
  t.equal(left({ name: 'Shop', days: 12345 }), 'Shop: 12345 days left')
  t.equal(phrase('{count, number} more')({ count: 12345 }), '12345 more')
})

t.test(
  'a word chooses among texts, and one that is not foreseen has the general one',
  async (t) => {
    const whose = phrase('{who, select, me {my monitor} other {the monitor of {who}}}')
    t.equal(whose({ who: 'me' }), 'my monitor')
    t.equal(whose({ who: 'Ann' }), 'the monitor of Ann')
  },
)

t.test('a value is shown as it is, and markup and quoted braces are text', async (t) => {
  t.equal(phrase("<b>'{x}'</b> {name}")({ name: "{name} '#' $&" }), "<b>{x}</b> {name} '#' $&")
})

t.test('a value turns the writing of nothing that stands behind it', async (t) => {
  const invited = phrase('\u2068{name}\u2069 invites you')
  const shown = (name: string) => invited({ name })
  t.equal(shown('\u2069\u202eAcme'), '\u2068Acme\u2069 invites you', 'ends no isolate of ours')
  t.equal(shown('Acme \u2067\u2068'), '\u2068Acme \u2067\u2068\u2069\u2069\u2069 invites you')
  const nested = 'down: \u2068a.test\u2069, \u2067b\u2069'
  t.equal(shown(nested), `\u2068${nested}\u2069 invites you`, 'a sentence within another one')
})

t.test('a form that no text needs is refused', async (t) => {
  for (const message of [
    '{at, date}',
    '{n, selectordinal, other {#th}}',
    '{n, plural, one {#}}',
    '{',
  ]) {
    t.throws(() => parseMessage(message), message)
  }
})

t.test('explanations for translators are no texts', async (t) => {
  const tree = { '@a': 'The button.', a: 'Save', '@b': 'A group.', b: { '@c': 'Why.', c: 'Close' } }
  t.same(
    catalogueOf<string>(tree, (text) => text),
    { a: 'Save', b: { c: 'Close' } },
  )
})

function textFile(language: string, texts: Readonly<Record<string, string>>): TextFile {
  return { language, area: 'mail', tree: texts, texts: new Map(Object.entries(texts)) }
}

t.test(
  'a language that lacks a text, or has other parameters, is named with the text',
  async (t) => {
    const files = [
      textFile('en', { hello: 'Hello {name}', save: 'Save' }),
      textFile('da', { hello: 'Hej {navn}', gem: 'Gem' }),
    ]
    t.same(textProblems(files, ['da', 'en', 'fr']), [
      'da/mail.json: hello has the parameters (navn), in English (name)',
      'da/mail.json: save is missing; in English: Save',
      'da/mail.json: gem does not exist in English',
      'fr/mail.json is missing',
    ])
    t.match(textProblems([textFile('en', { hello: 'Hello {name' })], ['en']), [
      /^en\/mail\.json: hello is no message: /,
    ])
  },
)

t.test('a language is one folder, and nothing else names it', async (t) => {
  const root = join(import.meta.dirname, '../..')
  const named = globSync('{src,scripts,bin,config}/**/*.{ts,tsx,js,json,toml}', { cwd: root })
    .filter((path) => !/^src\/texts\/(generated|pl\/)|^src\/(console\/|net\/iana-)/.test(path))
    .filter((path) => /'pl'|"pl"/.test(readFileSync(join(root, path), 'utf8')))
  t.same(named, [])
})
