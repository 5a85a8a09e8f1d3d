// Scripts that become actions over the API: a monitor takes the answer as it is, and a hostile text stops nobody.
import t from 'tap'
import { scriptCharsMax } from '../../../../src/domain/browser/convert/script-syntax.ts'
import { mintKey, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { amount } from '../../../support/depth.ts'
import { watchTurns } from '../../../support/turns.ts'

const turnMsMax = 100

t.test('a script of Playwright becomes the actions of a monitor', async (t) => {
  const env = { AUTH_REGISTRATION: 'first-user', CHECKS_BROWSERS: '/bin/true' }
  const daemon = await startDaemon(t, { env })
  const alice = await register(daemon, 'alice', daemon.setupToken)
  const key = await mintKey(daemon, alice)
  const ask = (path: string, json: object) =>
    daemon.ask('POST', `/api/v1${alice.org}/monitors${path}`, { key, json })

  const text = `test('signs in', async ({ page }) => {
    await page.goto('https://shop.example.com/')
    await page.getByLabel('Password').fill('a-long-password')
    await page.route('**', (one) => one.abort())
  })`
  const converted = await ask('/browser/convert', { text })
  t.equal(converted.status, 200)
  const { notes, ...monitor } = converted.json.data
  t.match(notes, [/^line 4 is left out: await page\.route/])
  const created = await ask('', { ...monitor, checkType: 'browser', isActive: false })
  t.match(created, {
    status: 200,
    json: {
      data: {
        name: 'signs in',
        url: 'https://shop.example.com/',
        actions: [{ action: 'fill', selector: 'label=Password', value: '{{Password}}' }],
      },
    },
  })
  t.notMatch(JSON.stringify(created.json), /a-long-password/)

  const refused = await ask('/browser/convert', { text: 'wget https://example.com/' })
  t.match(refused, { status: 422, json: { detail: /text is no JavaScript or TypeScript: line 1/ } })

  const pieces = ['a?', '`${', "await page.click('a')\n", '(', '[', 'a<', '{', '/', 'a+']
  for (const piece of pieces.slice(0, amount(1, pieces.length))) {
    const longestMs = watchTurns()
    const hostile = piece.repeat(scriptCharsMax / piece.length - 5)
    const { status } = await ask('/browser/convert', { text: hostile })
    const turnMs = longestMs()
    t.ok([200, 422].includes(status), `${piece}: ${status}`)
    t.ok(turnMs < turnMsMax, `${piece}: at most ${turnMs.toFixed(1)} ms at a time`)
  }

  const opening = "await page.goto('https://a.example/')\n"
  const deep = await ask('/browser/convert', { text: `${opening}a${'.b'.repeat(60_000)}()` })
  t.match(deep, { status: 422, json: { detail: /text is nested too deeply: line 2 has more/ } })
  // The parser of TypeScript takes twice as long for each.
  const slow = await ask('/browser/convert', {
    text: `${opening}x = ${'<T>('.repeat(28)}1${')'.repeat(28)}`,
  })
  t.match(slow, {
    status: 422,
    json: { detail: /text takes longer to convert than 3 s$/, errors: [{ pointer: '/text' }] },
  })
})
