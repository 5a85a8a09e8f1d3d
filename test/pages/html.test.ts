// Escaping: whatever stands in a field, a page keeps its own markup and gains none.
import t from 'tap'
import type { IncidentId } from '../../src/base/ids.ts'
import { html, type Piece, toText } from '../../src/pages/html.ts'
import { statusPage } from '../../src/pages/status/status-page.ts'
import { toPublicPage } from '../../src/pages/view/public-view.ts'
import {
  makePage,
  makePublicIncident,
  makeSource,
  monitorNo,
  noonMs,
} from '../support/make-page.ts'
import { payloads } from '../support/xss-payloads.ts'

const show = (piece: Piece) => toText(html`<p title="${piece}">${piece}</p>`)

/** Tags with the names of their attributes, in order: what a browser would build. */
function skeleton(page: string): string[] {
  const tags = page.matchAll(/<(\/?[a-z0-9!]+)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*\/?>/g)
  const found = [...tags].map(([, name, attributes]) =>
    [name, ...(attributes ?? '').matchAll(/\s([a-zA-Z-]+)(?==")/g)].map(String).join(' '),
  )
  const angles = page.split('<').length - 1
  t.equal(found.length, angles, 'every < begins a tag of a known form')
  return found
}

/** A page whose every text is the payload. */
function pageOf(text: string): string {
  const logoUrl = `https://logo.test/${text}`
  const page = makePage({ title: text, description: text, name: text, logoUrl })
  const entry = { atMs: noonMs, kind: 'update', isPublic: true } as const
  const incident = makePublicIncident({ title: text, timeline: [{ ...entry, message: text }] })
  const resolved = { ...incident, id: 'inc_2' as IncidentId, state: 'resolved' } as const
  const view = toPublicPage(
    page,
    [makeSource({ name: text }), makeSource({ id: monitorNo(2), name: text }, 'down')],
    [incident, { ...resolved, resolvedAtMs: noonMs }],
    noonMs,
  )
  const document = toText(statusPage({ view: view!, language: 'en', root: '/status/acme' }))
  // Markdown may make tags of its own, which markdown.test.ts judges; it makes no div.
  return document.replace(/(<div class="prose" dir="auto">)[\s\S]*?(<\/div>)/g, '$1$2')
}

t.test(
  'text and attributes are escaped, lists are joined, nothing stands for nothing',
  async (t) => {
    t.equal(
      show('a & <b> "c" \'d\' `e`'),
      '<p title="a &amp; &lt;b&gt; &quot;c&quot; &#39;d&#39; \
&#96;e&#96;">a &amp; &lt;b&gt; &quot;c&quot; &#39;d&#39; &#96;e&#96;</p>',
    )
    t.equal(show(['<', 1, null, undefined, false]), '<p title="&lt;1">&lt;1</p>')
    t.equal(show('\u0000\u001b\ud800'), '<p title="\ufffd\ufffd\ufffd">\ufffd\ufffd\ufffd</p>')
    t.equal(
      toText(html`<ul>${['a', '<'].map((one) => html`<li>${one}</li>`)}</ul>`),
      '<ul><li>a</li><li>&lt;</li></ul>',
    )
  },
)

t.test('other code cannot pass text off as markup', async (t) => {
  const forged = JSON.parse('{"markup":"<b>","Symbol(markup)":"<b>"}')
  t.throws(() => show(forged))
  t.throws(() => toText(html`<p title="${html`<b>`}">`), 'markup has no place in an attribute')
})

t.test('a hole at a dangerous place is refused', async (t) => {
  const value = 'x'
  t.throws(() => html`<p ${value}>`)
  t.throws(() => html`<p title=${value}>`)
  t.throws(() => html`<p onclick="${value}">`)
  t.throws(() => html`<p style="${value}">`)
  t.throws(() => html`<script>${value}</script>`)
  t.throws(() => html`<style>${value}</style>`)
})

t.test('a URL is https, a path of ours or a fragment, or it is empty', async (t) => {
  const link = (url: string) => toText(html`<a href="${url}">`)
  for (const good of ['https://a.test/x', '/status/a', '#top', 'HTTPS://A.TEST']) {
    t.equal(link(good), `<a href="${good}">`)
  }
  for (const bad of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'http://a.test',
    '//evil.test',
    '/\\evil.test',
    'data:text/html,x',
    'vbscript:x',
    'java\tscript:x',
  ]) {
    t.equal(link(bad), '<a href="">')
  }
})

t.test('sixty hostile texts in every field add no tag and no attribute to a page', async (t) => {
  t.ok(payloads.length >= 60)
  const expected = skeleton(pageOf('plain'))
  for (const payload of payloads) t.same(skeleton(pageOf(payload)), expected, payload)
})
