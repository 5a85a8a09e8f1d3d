// Feeds, badges, calendar, picture and widget of a page.

import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { DomUtils, parseDocument } from 'htmlparser2'
import t from 'tap'
import { palettesOfLook } from '../../../src/base/colors.ts'
import { type PageLook, type PageTheme, pageLooks } from '../../../src/domain/pages/page.ts'
import { toText } from '../../../src/pages/html.ts'
import { badgeSvg, shieldsJson, textWidth } from '../../../src/pages/machine/badges/badge.ts'
import { monitorBadge, pageBadge } from '../../../src/pages/machine/badges/page-badges.ts'
import { calendarDocument } from '../../../src/pages/machine/calendar.ts'
import { atomFeed, jsonFeed, rssFeed } from '../../../src/pages/machine/feeds/feed-documents.ts'
import { hostOf } from '../../../src/pages/machine/page-identity.ts'
import { pagePicture } from '../../../src/pages/machine/picture/page-picture.ts'
import { type WidgetTheme, widgetDocument } from '../../../src/pages/machine/widget.ts'
import { xml, xmlText } from '../../../src/pages/machine/xml.ts'
import { statusPage } from '../../../src/pages/status/status-page.ts'
import type { PageDocument, PublicPage } from '../../../src/pages/view/public-page.ts'
import { textsOf } from '../../../src/texts/texts.ts'
import { documentContext } from '../../support/document-context.ts'
import { monitorNo, noonMs } from '../../support/make-page.ts'
import { seededPage } from '../../support/seeded-pages.ts'
import { payloads } from '../../support/xss-payloads.ts'

const onFire = seededPage({
  monitors: 12,
  isOnFire: true,
  page: { showResponseTimes: true },
})
const textOf = ({ body }: PageDocument) => Buffer.from(body).toString()

t.test('a badge says the state of the page, and that of each monitor on it', async (t) => {
  const context = documentContext(onFire)
  t.match(pageBadge(context, null), { label: 'status', message: 'Partial outage', tone: 'bad' })
  t.equal(pageBadge(context, 'Acme').label, 'Acme')
  const asked = { metric: 'state', window: '24h', label: null } as const
  t.match(monitorBadge(context, monitorNo(1), asked), {
    label: 'Website',
    message: 'Operational',
    tone: 'good',
  })
  t.match(monitorBadge(context, monitorNo(2), asked), { message: 'Outage', tone: 'bad' })
  t.match(monitorBadge(context, monitorNo(1), { ...asked, metric: 'uptime' }), {
    label: 'Website uptime 24h',
    message: '99.95%',
    tone: 'good',
  })
  t.match(monitorBadge(context, monitorNo(1), { ...asked, metric: 'responseTime' }), {
    label: 'Website response time 24h',
    message: '123 ms',
  })
})

t.test('there is no badge of what the page does not show', async (t) => {
  const asked = { window: '24h', label: null } as const
  const badge = (view: PublicPage, metric: 'state' | 'uptime' | 'responseTime', number = 1) =>
    monitorBadge(documentContext(view), monitorNo(number), { ...asked, metric })
  t.equal(badge(onFire, 'state', 13), undefined)
  t.equal(badge({ ...onFire, monitors: null }, 'state'), undefined)
  t.equal(badge({ ...onFire, showUptime: false }, 'uptime'), undefined)
  t.equal(badge({ ...onFire, showResponseTimes: false }, 'responseTime'), undefined)
  t.ok(badge({ ...onFire, showUptime: false, showResponseTimes: false }, 'state'))
})

t.test('what is not known yet is a dash', async (t) => {
  const figures = { maintenance: () => [], uptime: () => null, responseTimeMs: () => null }
  const context = documentContext(onFire, { figures })
  for (const metric of ['uptime', 'responseTime'] as const) {
    const badge = monitorBadge(context, monitorNo(1), { metric, window: '7d', label: null })
    t.match(badge, { message: '—', tone: 'none' })
  }
})

t.test('the text of a badge fits, and is said to those who cannot see it', async (t) => {
  const svg = textOf(badgeSvg({ label: 'status', message: 'Partial outage', tone: 'bad' }))
  t.match(svg, 'role="img" aria-label="status: Partial outage"')
  t.match(svg, '<title>status: Partial outage</title>')
  const widths = [...svg.matchAll(/<rect (?:x="\d+" )?width="(\d+)" height="20" fill/g)]
  t.same(
    widths.map(([, width]) => Number(width)),
    [34 + 12, 77 + 12],
  )
  t.ok(textWidth('WWW') > 3 * textWidth('i'))
  t.equal(textWidth('e\u0301'), textWidth('e'), 'an accent takes no space')
  t.ok(textWidth('監視') >= 22)
  const bare = textOf(badgeSvg({ label: '', message: 'up', tone: 'good' }))
  t.match(bare, 'aria-label="up"')
  t.equal(bare.match(/<text/g)?.length, 1)
})

t.test('no name can break a badge', async (t) => {
  for (const label of [...payloads, '\u0000\u0001\ufffe\ud800', 'x'.repeat(5_000)]) {
    const svg = textOf(badgeSvg({ label, message: label, tone: 'none' }))
    const tags = [...svg.matchAll(/<\/?(\w+)/g)].map(([, name]) => name)
    t.same(
      [...new Set(tags)].sort(),
      ['clipPath', 'g', 'rect', 'svg', 'text', 'title'],
      label.slice(0, 60),
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    t.notMatch(svg, /[\u0000-\u0008\ufffe\ud800]/)
    t.ok(svg.length < 3_000)
  }
})

t.test('shields.io gets the same words with colours of its own', async (t) => {
  const badge = JSON.parse(textOf(shieldsJson({ label: 'Api', message: 'Outage', tone: 'bad' })))
  t.same(badge, { schemaVersion: 1, label: 'Api', message: 'Outage', color: 'red', isError: true })
})

/** The properties of the events, unfolded. */
function eventsOf(text: string): Record<string, string>[] {
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  const events: Record<string, string>[] = []
  for (const line of lines) {
    const at = line.indexOf(':')
    if (line === 'BEGIN:VEVENT') events.push({})
    const event = events.at(-1)
    if (event) event[line.slice(0, at)] ??= line.slice(at + 1)
  }
  return events
}

t.test('maintenance is a calendar with an event for each occurrence', async (t) => {
  const [one] = onFire.maintenance
  if (!one) return t.fail('it has a window')
  const description = `Line 1; a, b\\c\r\nLine 2 ${'äöü 監視 '.repeat(30)}\u0007`
  const next = { ...one, description, startsAtMs: one.startsAtMs + 86_400_000 }
  const text = textOf(calendarDocument(onFire, [one, next], textsOf('status-page', 'en')))
  t.match(text, /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:.*\r\n[\s\S]*\r\nEND:VCALENDAR\r\n$/)
  for (const line of text.split('\r\n')) {
    t.ok(Buffer.byteLength(line) <= 75, line)
    t.notMatch(line, /\n|\r|\ufffd/)
  }
  const [first, second] = eventsOf(text)
  t.match(first, {
    UID: `${one.windowId}-${one.startsAtMs}@up.test`,
    DTSTART: '20260616T220000Z',
    DTEND: '20260616T230000Z',
    SUMMARY: 'Database upgrade',
    STATUS: 'CONFIRMED',
    URL: 'https://up.test/status/acme',
  })
  t.not(second?.UID, first?.UID)
  t.equal(second?.DESCRIPTION, `Line 1\\; a\\, b\\\\c\\nLine 2 ${'äöü 監視 '.repeat(30)}`)
  t.match(textOf(calendarDocument(onFire, [], textsOf('status-page', 'en'))), 'END:VCALENDAR')
})

t.test('the picture is a small PNG of 1200 × 630 that shows the state', async (t) => {
  const { body, contentType } = pagePicture(onFire)
  const bytes = Buffer.from(body)
  t.equal(contentType, 'image/png')
  t.ok(bytes.length < 20_000, `${bytes.length} bytes`)
  t.same([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  t.equal(bytes.readUInt32BE(16), 1200)
  t.equal(bytes.readUInt32BE(20), 630)
  const dataAt = bytes.indexOf('IDAT')
  const data = bytes.subarray(dataAt + 4, dataAt + 4 + bytes.readUInt32BE(dataAt - 4))
  t.equal(inflateSync(data).length, 1201 * 630)
  t.same(pagePicture({ ...onFire, generatedAtMs: noonMs + 5_000 }).body, body)
  const good = { ...onFire, overall: { level: 'up', kind: 'operational' } } as const
  t.notSame(pagePicture(good).body, body)
  t.ok(pagePicture({ ...onFire, monitors: null }).body.length > 0)
})

t.test('the widget may be framed, and has a style and a link but nothing that runs', async (t) => {
  const document = widgetDocument(documentContext(onFire), 'dark')
  const text = textOf(document)
  const policy = String(new Map(document.headers).get('Content-Security-Policy'))
  t.match(policy, /frame-ancestors \*$/)
  t.match(policy, /default-src 'none'; style-src 'sha256-[\w+/=]{44}'/)
  t.match(text, '<body class="dark">')
  t.match(text, 'href="/status/acme" target="_blank"')
  t.match(text, '<b>Partial outage</b>')
  t.notMatch(text, /<script|style="/)
  t.ok(parseDocument(text))
})

t.test('widget, picture and badges have the colours of the look, and its accent', async (t) => {
  const viewOf = (look: PageLook, theme: Partial<PageTheme> = {}): PublicPage => ({
    ...onFire,
    look,
    theme: { accent: null, mode: 'auto', ...theme },
  })
  const widget = (view: PublicPage, theme: WidgetTheme = 'auto') => {
    const document = widgetDocument(documentContext(view), theme)
    const text = textOf(document)
    const css = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? ''
    const hash = createHash('sha256').update(css).digest('base64')
    t.match(new Map(document.headers).get('Content-Security-Policy'), `'sha256-${hash}'`)
    return text
  }
  const ground = (view: PublicPage) => pageBadge(documentContext(view), null).ground ?? ''
  for (const look of pageLooks) {
    const { light, dark } = palettesOfLook(look)
    const text = widget(viewOf(look))
    t.match(text, `--paper:${light.card}`, look)
    t.match(text, `--paper:${dark.card}`, look)
    t.notMatch(text, 'border-inline-start', 'no accent, no stripe')
    t.equal(ground(viewOf(look)), light.ink, look)
    const pictures = [viewOf(look), viewOf(look, { mode: 'dark' })].map(pagePicture)
    t.notSame(pictures[0]?.body, pictures[1]?.body, look)
  }
  t.match(widget(viewOf('plain', { mode: 'dark' })), '<body class="dark">')
  t.match(widget(viewOf('plain', { mode: 'dark' }), 'light'), '<body class="light">')
  const accent = '#ffd60a'
  const accented = viewOf('slate', { accent })
  t.match(widget(accented), `border-inline-start:4px solid ${accent}`)
  t.notSame(pagePicture(accented).body, pagePicture(viewOf('slate')).body)
  t.equal(ground(accented), accent)
  const badge = textOf(badgeSvg(pageBadge(documentContext(accented), 'status')))
  t.match(badge, `fill="${accent}"`)
  t.match(badge, /y="14" fill="#000000"[^>]*>status</, 'what is on it can be read')
})

const feedView = {
  ...onFire,
  maintenance: onFire.maintenance.map((one) => ({ ...one, description: 'We **upgrade** & more' })),
}

/** The text of each element of a name, in order. */
function textsIn(document: PageDocument, name: string): string[] {
  const elements = DomUtils.getElementsByTagName(
    name,
    parseDocument(textOf(document), { xmlMode: true }),
  )
  return elements.map((element) => DomUtils.innerText(element))
}

t.test('Atom, RSS and JSON Feed tell the same, the newest change first', async (t) => {
  const context = documentContext(feedView)
  const [atom, rss] = [atomFeed(context), rssFeed(context)]
  const json = JSON.parse(textOf(jsonFeed(context)))
  const ids = json.items.map(({ id }: { id: string }) => id)
  t.equal(ids.length, 10)
  t.equal(new Set(ids).size, 10)
  for (const id of ids) t.match(id, /^tag:up\.test,2025-07-12:(?:inc|mnt)_\w+(?:-\d+)?$/)
  t.same(textsIn(atom, 'id').slice(1), ids)
  t.same(textsIn(rss, 'guid'), ids)
  const titles = json.items.map(({ title }: { title: string }) => title)
  t.same(textsIn(atom, 'title').slice(1), titles)
  t.same(textsIn(rss, 'title').slice(1), titles)
  const times = json.items.map((item: { date_modified: string }) => item.date_modified)
  t.same(times, times.toSorted().toReversed())
  t.same(textsIn(atom, 'updated').slice(1), times)
  t.match(textsIn(rss, 'pubDate')[0], /^\w{3}, \d\d \w{3} 2026 \d\d:\d\d:\d\d GMT$/)
  const contents = json.items.map((item: { content_html: string }) => item.content_html)
  t.same(textsIn(atom, 'content'), contents)
  t.same(textsIn(rss, 'description').slice(1), contents)
  t.match(json, {
    version: 'https://jsonfeed.org/version/1.1',
    home_page_url: 'https://up.test/status/acme',
    feed_url: 'https://up.test/status/acme/feed.json',
    language: 'en',
  })
  t.match(contents.join(), /<strong>Identified<\/strong>[\s\S]*A database of our payment provider/)
  t.match(contents.join(), '<strong>upgrade</strong> &amp; more')
})

t.test('each feed is well-formed XML, whatever people have written', async (t) => {
  const [one] = onFire.incidents ?? []
  for (const payload of [...payloads, ']]>', '\u0000\u0001\ufffe\ud800', '&#0;', '<!--']) {
    const incidents = one ? [{ ...one, title: payload, titleKind: null }] : []
    const view = { ...onFire, title: payload, description: payload, incidents }
    for (const make of [atomFeed, rssFeed]) {
      const text = textOf(make(documentContext(view)))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      t.notMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\ud800]/)
      t.notMatch(text, /&(?!(?:amp|lt|gt|quot|#39);)/, payload)
      const open: string[] = []
      for (const [, isEnd, name = '', isEmpty] of text.matchAll(
        /<(\/?)([\w:]+)(?:\s[\w:]+="[^"<]*")*(\/?)>/g,
      )) {
        if (isEnd) t.equal(open.pop(), name)
        else if (!isEmpty) open.push(name)
      }
      t.same(open, [])
      t.equal(text.replace(/<[^<>]*>/g, '').includes('<'), false)
    }
  }
})

t.test('a feed without entries is a feed, and its time is that of the page', async (t) => {
  const empty = { ...onFire, incidents: null, monitors: null, maintenance: [] }
  const context = documentContext(empty)
  t.same(textsIn(atomFeed(context), 'updated'), ['2025-07-12T18:57:36.768Z'])
  t.same(textsIn(rssFeed(context), 'item'), [])
  t.same(JSON.parse(textOf(jsonFeed(context))).items, [])
})

t.test('a page at an address of IPv6 has lasting ids too', async (t) => {
  t.equal(hostOf({ url: 'http://[::1]:8080/status/acme' }), 'localhost')
  t.equal(hostOf({ url: 'http://127.0.0.1:8080/status/acme' }), '127.0.0.1')
})

t.test('what stands in XML is text', async (t) => {
  const inner = xml`<b x="${'"<&\''}">${['a<', 1, null, false]}</b>`
  t.equal(
    xmlText(xml`<a>${inner}</a>`),
    '<?xml version="1.0" encoding="utf-8"?>\n<a><b x="&quot;&lt;&amp;&#39;">a&lt;1</b></a>\n',
  )
})

t.test('the head of a page names its feeds, and what chats show of it', async (t) => {
  const head = toText(statusPage(documentContext(onFire))).split('</head>')[0] ?? ''
  for (const file of ['feed.atom', 'feed.rss', 'feed.json']) {
    t.match(
      head,
      new RegExp(
        `<link rel="alternate" type="[\\w/+]+" title="[^"]+" href="/status/acme/${file}">`,
      ),
    )
  }
  t.match(head, '<link rel="canonical" href="https://up.test/status/acme">')
  t.match(head, '<meta property="og:title" content="Acme status – Partial outage">')
  t.match(head, '<meta property="og:image" content="https://up.test/status/acme/og.png">')
  const plain = { ...onFire, url: 'http://localhost:8080/status/acme' }
  t.notMatch(toText(statusPage(documentContext(plain))), 'rel="canonical"')
})
