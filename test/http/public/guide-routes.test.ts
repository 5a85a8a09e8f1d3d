// The guide as the daemon serves it: to everybody, under a strict policy, and once to each browser.
import t from 'tap'
import { ensureGuide } from '../../../scripts/guide/build.ts'
import { readGuide } from '../../../src/pages/guide/guide-files.ts'
import { startTestHttp } from '../../support/http.ts'

await ensureGuide()
const http = await startTestHttp({ routes: [] })
t.teardown(() => http.stop())

t.test('pages need no sign-in, and their policy allows nothing of other hosts', async (t) => {
  for (const path of ['/guide', '/guide/', '/guide/install', '/guide/stillup.toml']) {
    const { status, headers, text } = await http.ask(path)
    t.equal(status, 200, path)
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    t.match(headers.get('content-security-policy'), /^default-src 'none'; script-src 'self';/)
    t.notMatch(headers.get('content-security-policy'), /unsafe|https?:/)
    t.match(text, '<main id="text"')
  }
})

t.test('a page that a browser has is not sent again', async (t) => {
  const { headers } = await http.ask('/guide/install')
  t.equal(headers.get('cache-control'), 'no-cache')
  const again = await http.ask('/guide/install', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  t.equal(again.status, 304)
})

t.test(
  'what a page loads is compressed and kept for ever; a picture is sent as it is',
  async (t) => {
    const names = [...(readGuide()?.keys() ?? [])]
    for (const name of names.filter((name) => /\.(?:css|js|png)$/.test(name))) {
      const { status, headers } = await http.ask(`/guide/${name}`)
      t.equal(status, 200, name)
      t.match(headers.get('cache-control'), /immutable/, name)
      t.equal(headers.get('content-encoding'), name.endsWith('.png') ? null : 'gzip', name)
    }
  },
)

t.test('no other address leads to a file', async (t) => {
  for (const path of ['/guide/nothing', '/guide/..%2fguide-files.ts', '/guide/index.html']) {
    const { status, text } = await http.ask(path)
    t.equal(status, 404, path)
    t.match(text, 'href="/guide"')
  }
})
