// A message as running text: what is shown, in which time zone, and what goes first when it is long.
import t from 'tap'
import {
  defused,
  encodedFor,
  escapedWithin,
  htmlEscaped,
  marked,
  plainStyle,
  shorterForms,
  textOf,
  timeText,
} from '../../../src/channels/model/text.ts'
import { longestMessages, messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const opened = samplePayloads.opened as NonNullable<(typeof samplePayloads)[string]>
const berlin = { language: 'de', timezone: 'Europe/Berlin' } as const

t.test('a title, the facts and the links, each on a line', async (t) => {
  const lines = textOf(messageFrom(opened), plainStyle, { sizeMax: 5_000 }).split('\n')
  t.match(lines[0], /is down$/)
  t.equal(lines[1], 'Cause: expected status 200, found 503')
  t.equal(lines[2], 'Details: HTTP 503, DNS 3 ms, connect 12 ms, TLS 25 ms, first byte 90 ms')
  t.equal(lines.at(-2), 'View and acknowledge: https://up.test/alerts/token')
  t.equal(lines.at(-1), 'Run-book: https://wiki.test/run-book?page=shop')
})

t.test('times are those of the organization', async (t) => {
  t.equal(timeText({ atMs: 1_000 }, berlin), '01.01.1970, 01:00:01 MEZ')
  t.match(textOf(messageFrom(opened, berlin), plainStyle, { sizeMax: 5_000 }), /01:00:01 MEZ/)
})

t.test(
  'what is too long loses the ends of values, then facts, and keeps its first link',
  async (t) => {
    for (const message of longestMessages()) {
      for (const sizeMax of [4_000, 700, 200]) {
        const text = textOf(message, plainStyle, { sizeMax })
        t.ok(text.length <= sizeMax && text.isWellFormed(), `${text.length} of ${sizeMax}`)
        t.ok(text.length > 0)
        if (message.links[0] && sizeMax > 200) t.match(text, message.links[0].url)
      }
      const bytes = textOf(message, plainStyle, { sizeMax: 1_000, sizeOf: Buffer.byteLength })
      t.ok(Buffer.byteLength(bytes) <= 1_000)
    }
  },
)

t.test(
  'markup is escaped before it is cut, and addresses of facts need a style that links',
  async (t) => {
    const style = {
      escape: (text: string) => text.replaceAll('&', '&amp;'),
      bold: (text: string) => `*${text}*`,
      link: (label: string, url: string) => `<${url}|${label}>`,
      linkedLabel: (label: string, url: string) => `<${url}|${label}>`,
    }
    const digest = messageFrom(samplePayloads.digest as NonNullable<typeof opened>)
    t.match(textOf(digest, style, { sizeMax: 9_000 }), '*<https://up.test/alerts/token|Shop &amp; ')
    const plain = textOf(digest, plainStyle, { sizeMax: 9_000 })
    t.notMatch(plain, 'https://up.test/alerts/')
    t.match(plain, /\nMore incidents: 30\nView all incidents: https:\S+$/, 'it leads to the rest')
  },
)

t.test('shorter forms end with almost nothing, and lose the first link last', async (t) => {
  for (const message of longestMessages()) {
    const forms = [...shorterForms(message)]
    const sizes = forms.map((form) => JSON.stringify({ ...form, payloadJson: '' }).length)
    for (const [at, size] of sizes.entries()) t.ok(size <= (sizes[at - 1] ?? size))
    const [last, beforeLast] = forms.reverse()
    t.match(last, { facts: [], links: [] })
    t.same(beforeLast?.links, message.links.slice(0, 1))
    t.ok((last?.title.length ?? 99) <= 30)
  }
})

t.test('a text is cut before it is escaped', async (t) => {
  const escapeOf = (text: string) => text.replaceAll('&', '&amp;')
  t.equal(escapedWithin('a & b', escapeOf, 20), 'a &amp; b')
  t.equal(escapedWithin('&&&&', escapeOf, 11), '&amp;&amp;…')
  t.equal(escapedWithin('😀😀', escapeOf, 3), '😀…')
  t.equal(escapedWithin('', escapeOf, 5), '')
  t.equal(escapedWithin('&', escapeOf, 5), '&amp;')
})

t.test('each kind of markup has an escape', async (t) => {
  t.equal(htmlEscaped('<b> & "c"\nd'), '&lt;b&gt; &amp; &quot;c&quot;<br>d')
  t.equal(defused('@all #a', /[@#]/g), '@\u200ball #\u200ba')
  t.equal(encodedFor('https://x.test/a|b>', /[|<>]/g), 'https://x.test/a%7Cb%3E')
})

t.test('a mark before the title says how bad the news is', async (t) => {
  t.match(marked(messageFrom(opened)).title, /^🔴 Shop/)
})
