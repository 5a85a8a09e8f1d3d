// Every letter as a person gets it, compared with what is written down; and what no letter may do.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type Letter, letterOf } from '../../src/mail/letter.ts'
import { languages } from '../../src/texts/languages.ts'
import { letterSamples, lettersIn } from '../support/letter-samples.ts'

const url = 'https://up.test/link?token=the-token&b=2'
const root = join(import.meta.dirname, '../..')
const folder = join(import.meta.dirname, 'letters')
// `tap --snapshot` says so: what is written down is replaced by what is.
const isWriting = process.env.TAP_SNAPSHOT === '1'

const written = ({ subject, text, html }: Letter) =>
  `Subject: ${subject}\n\n${text}\n=== HTML ===\n${html}`

for (const [name, letter] of Object.entries(letterSamples)) {
  t.test(`the letter "${name}" says what is written down, and nothing dangerous`, async (t) => {
    const file = join(folder, `${name}.txt`)
    if (isWriting) writeFileSync(file, written(letter))
    t.ok(existsSync(file), `there is ${file}: run this test with --snapshot`)
    t.equal(written(letter), readFileSync(file, 'utf8'))

    t.notMatch(letter.subject, /[\r\n]/, 'the subject is one line')
    t.notMatch(letter.subject, /https?:|[\w-]{32,}/, 'a subject may be logged: no link, no token')
    t.notMatch(letter.html, /<(script|img|iframe|link|form|object)/i, 'nothing is loaded or run')
    t.notMatch(letter.html, / on\w+=["']/i)
    const urls = [...`${letter.text} ${letter.html}`.matchAll(/https?:\/\/[^\s"<]+/g)]
    for (const [url] of urls)
      t.match(url, /^https:\/\/up\.test(\/|[.,]?$)/, 'only to the service itself')
    for (const [href] of letter.html.matchAll(/href="([^"]*)"/g)) {
      t.match(href, /^href="https:\/\/up\.test/)
    }
  })
}

t.test('Chinese and Japanese letters name typefaces that have their characters', async (t) => {
  const fontsIn = (language: 'en' | 'ja' | 'zh') =>
    letterOf({ subject: 'S', paragraphs: ['P'], footer: [], language }).html
  t.match(fontsIn('zh'), '&quot;Microsoft YaHei&quot;')
  t.match(fontsIn('ja'), 'Meiryo')
  t.notMatch(fontsIn('en'), /YaHei|Meiryo|fareast/)
})

/** Their words come with the incident, or with the sample. */
const isWordedElsewhere = (name: string) => /^(alert-|plain$)/.test(name)

for (const language of languages.filter((one) => one !== 'en')) {
  t.test(`every letter speaks ${language} alone, in its direction`, async (t) => {
    for (const [name, letter] of Object.entries(lettersIn(language))) {
      if (isWordedElsewhere(name)) continue
      const { subject, text, html } = letter
      const direction = language === 'ar' ? 'rtl' : 'ltr'
      t.match(html, `<html lang="${language}" dir="${direction}">`, name)
      t.not(subject, letterSamples[name]?.subject, name)
      t.notMatch(text, /\b(you|letter|undefined)\b/i, name)
      t.notMatch(html, / on\w+=["']/i, name)
      t.equal(html.split('<p ').length, letterSamples[name]?.html.split('<p ').length, name)
      t.equal(text.includes(url), letterSamples[name]?.text.includes(url), `${name}: its link`)
    }
  })
}

t.test('a link in an Arabic letter runs from left to right', async (t) => {
  t.match(lettersIn('ar')['sign-in']?.html, `<span dir="ltr">${url.replace('&', '&amp;')}</span>`)
})

t.test('a letter keeps its form in Word, which Outlook shows it with, and in Gmail', async (t) => {
  for (const [name, { html }] of Object.entries(letterSamples)) {
    t.match(
      html,
      /<!--\[if mso\]><table [^>]*width="560">/,
      `${name} has a width without max-width`,
    )
    t.match(html, /<td class="card[^>]*bgcolor="#ffffff" style="padding:20px/, `${name} has a card`)
    t.match(
      html,
      /<td align="center" style="[^"]*color:#/,
      `${name} has its colours without a body`,
    )
    const buttons = html.split('display:inline-block').length - 1
    const cells = html.match(/<td [^>]*bgcolor="[^"]+" style="[^"]*mso-padding-alt/g) ?? []
    t.equal(cells.length, buttons, `${name}: a cell has the room around each button`)
    t.notMatch(html, 'system-ui', `${name} names typefaces that Word knows`)
  }
})

t.test('every letter has a sample, and every text a letter', async (t) => {
  const samples = readFileSync(join(root, 'test/support/letter-samples.ts'), 'utf8')
  const files = globSync('src/mail/letters/*.ts', { cwd: root })
  t.same(
    files.filter((file) => !samples.includes(file)),
    [],
    'test/support/letter-samples.ts has a line for each file in src/mail/letters',
  )
  const texts = globSync('*.txt', { cwd: folder }).map((file) => file.replace(/\.txt$/, ''))
  t.same(texts.sort(), Object.keys(letterSamples).sort())
})

t.test('text from strangers stays one line of text', async (t) => {
  for (const hostile of ['a\r\nBcc: b@c.test', 'a\u2028b', 'a\u0085b', 'a\u0000b', 'a\vb\fc']) {
    const { subject, text, html } = letterOf({
      language: 'en',
      subject: hostile,
      paragraphs: [hostile],
      footer: [hostile],
    })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    t.notMatch(subject, /[\u0000-\u001f\u0085\u2028\u2029]/)
    t.notMatch(text, /^Bcc/m)
    t.equal(text.split('\n\n').length, 3)
    t.equal(html.split('<p ').length, 3)
  }
})

t.test('markup in a text is shown as it was written, in every place', async (t) => {
  const words = `<b>"Tom" & 'Jerry'</b>`
  const { html, text, subject } = letterOf({
    language: 'en',
    subject: words,
    paragraphs: [words],
    button: { label: words, url: 'https://up.test/?a="&b=<c>' },
    footer: [words],
  })
  t.notMatch(html, '<b>')
  t.notMatch(html, '<c>')
  t.match(html, 'href="https://up.test/?a=&quot;&amp;b=&lt;c&gt;"')
  t.equal(html.split('&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;').length, 5)
  t.match(text, words)
  t.equal(subject, words)
})
