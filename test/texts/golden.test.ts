// What every text of the daemon says in every language, with sample values: as in the golden files.
//
// GOLDEN=1 writes test/texts/golden/<language>.txt anew; read the difference before you commit it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { wordsOf } from '../../src/channels/words/catalog.ts'
import { alertPageWords } from '../../src/pages/alert/page-words.ts'
import { pageWords } from '../../src/pages/status/words/catalog.ts'
import { subscriberWords } from '../../src/pages/subscribers/words/catalog.ts'
import { type Language, languages } from '../../src/texts/languages.ts'
import { textsOf } from '../../src/texts/texts.ts'

const moved = ['unsubscribe', 'unlock']

const areas: Readonly<Record<string, (language: Language) => object>> = {
  channels: wordsOf,
  'status-page': pageWords,
  subscribers: subscriberWords,
  'alert-page': alertPageWords,
  unsubscribe: (language) => textsOf('unsubscribe', language),
  unlock: (language) => textsOf('unlock', language),
}

/** The parameters of texts, in their order; a number where it begins with `#`. */
const parameters: Readonly<Record<string, string>> = {
  'channels.reopened': 'title',
  'channels.resolved': 'title',
  'channels.closedByHand': 'title',
  'channels.acknowledged': 'title',
  'channels.reminder': 'title',
  'channels.updated': 'title',
  'channels.incidentsOpened': '#count',
  'channels.incidentsResolved': '#count',
  'channels.certificateExpires': 'name #days',
  'channels.domainExpires': 'domain #days',
  'channels.channelFails': 'channel',
  'channels.channelWorks': 'channel',
  'channels.test': 'channel',
  'channels.letter.why': 'channel',
  'channels.more': '#count',
  'status-page.headings.recentIncidents': '#days',
  'status-page.incident.lasted': 'span',
  'status-page.incident.soFar': 'span',
  'status-page.incident.automatic': '#count',
  'status-page.incident.earlierUpdates': '#count',
  'status-page.days.down': 'span',
  'status-page.days.degraded': 'span',
  'status-page.days.maintenance': 'span',
  'status-page.days.upShare': 'percent',
  'status-page.days.uptime': 'percent',
  'status-page.days.overDays': '#days',
  'status-page.days.daysAgo': '#days',
  'status-page.days.andEarlier': '#days',
  'status-page.days.noDataInDays': '#days',
  'status-page.days.noDowntimeInDays': '#days',
  'status-page.days.downOnDays': 'span #hurt #days',
  'status-page.days.downOnKnownDays': 'span #hurt #known',
  'status-page.days.downOnOnlyDay': 'span',
  'status-page.responseTimes.ofLastDays': '#days',
  'status-page.responseTimes.summary': 'median p95',
  'status-page.footer.timesIn': 'zone',
  'status-page.footer.monitoredBy': 'product',
  'status-page.history.title': 'month',
  'status-page.history.incidents': '#count',
  'status-page.history.onlyNewest': '#count',
  'status-page.feeds.incidents': 'page',
  'status-page.feeds.maintenance': 'page',
  'subscribers.andMore': 'title #more',
  'subscribers.why': 'page',
  'subscribers.confirm.subject': 'page',
  'subscribers.confirm.about': 'page',
  'subscribers.already.subject': 'page',
  'subscribers.already.about': 'page',
  'alert-page.acknowledgedThrough': 'channel',
  'alert-page.acknowledgedBy': 'person',
  'alert-page.statusPage': 'title',
  'alert-page.failures.answered': '#status',
  'unsubscribe.about': 'address channel organization',
}

/** Numbers of every form that a language has. */
const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]

/** Values that the text is tried with: each number takes every count, while the others stay. */
function samplesOf(names: readonly string[]): Values[] {
  const numbers = names.filter((name) => name.startsWith('#'))
  const plain = Object.fromEntries(
    // Values are shown as they are, whatever they hold.
    names.map((name) => (name.startsWith('#') ? [name.slice(1), 5] : [name, `{${name}} <b>'#'`])),
  )
  if (numbers.length === 0) return [plain]
  return numbers.flatMap((name) => counts.map((count) => ({ ...plain, [name.slice(1)]: count })))
}

type Values = Readonly<Record<string, string | number>>

function said(text: (...given: unknown[]) => string, path: string, values: Values): string {
  return moved.includes(path.split('.', 1).join('')) ? text(values) : text(...Object.values(values))
}

function linesOf(path: string, node: unknown): string[] {
  if (typeof node === 'string') return [`${path}: ${node}`]
  if (typeof node !== 'function') {
    return Object.entries(Object(node)).flatMap(([key, below]) => linesOf(`${path}.${key}`, below))
  }
  const names = (parameters[path] ?? 'name').split(' ')
  return samplesOf(names).map((values) => {
    const numbers = Object.values(values).filter((value) => typeof value === 'number')
    const text = said(node as (...given: unknown[]) => string, path, values)
    return `${path}(${numbers}): ${text}`
  })
}

for (const language of languages) {
  t.test(`every text in ${language} says what it is known to say`, async (t) => {
    const found = Object.entries(areas).flatMap(([area, textsOf]) =>
      linesOf(area, textsOf(language)),
    )
    const file = join(import.meta.dirname, 'golden', `${language}.txt`)
    const text = `${found.sort().join('\n')}\n`
    if (process.env.GOLDEN) writeFileSync(file, text)
    t.equal(text, readFileSync(file, 'utf8'))
  })
}
