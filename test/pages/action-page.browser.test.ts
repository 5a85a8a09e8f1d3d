// Pages with a form: hostile texts stay texts, and what is hidden arrives unchanged.
import t from 'tap'
import { actionPage, actionPageHeaders } from '../../src/pages/action-page.ts'
import { toText } from '../../src/pages/html.ts'
import { deadLinkPage, signInPage } from '../../src/pages/sign-in-page.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { noonMs } from '../support/make-page.ts'
import { openActionPages } from '../support/served-document.ts'
import { until } from '../support/until.ts'
import { payloads } from '../support/xss-payloads.ts'

const about = {
  email: 'alice@example.com',
  isNew: false,
  askedAtMs: noonMs,
  address: '192.0.2.7',
  userAgent: 'curl/8.5.0',
  isElsewhere: false,
  needsCode: false,
  leadsTo: null,
  trustDays: 30,
}
const form = { language: 'en' as const, action: '/there', token: 'the-token' }

t.test('the page about a link says who, when, from where and where to', async (t) => {
  const page = toText(signInPage({ ...about, leadsTo: 'https://app.example.com' }, form))
  t.match(page, '<p dir="auto">You sign in as alice@example.com.</p>')
  t.match(page, /requested on \d+ \w+ \d{4} at 12:00 UTC from 192\.0\.2\.7 with curl\./)
  t.match(page, 'Then you continue to https://app.example.com.')
  t.match(page, '<meta name="robots" content="noindex">')
  t.notMatch(page, /role="alert"|name="totp"/)
  const first = toText(signInPage({ ...about, isNew: true }, form))
  t.match(first, 'This creates an account for alice@example.com and signs you in.')
  t.match(first, '<button type="submit">Create the account</button>')
  const again = { ...form, problem: 'The code is wrong.' }
  const coded = toText(signInPage({ ...about, needsCode: true, isElsewhere: true }, again))
  t.match(coded, '<p class="note is-degraded" role="alert">The code is wrong.</p>')
  t.match(coded, /name="totp" autocomplete="one-time-code" maxlength="64"/)
  t.match(coded, 'Do not ask for a code on this device for 30 days')
  t.notMatch(toText(deadLinkPage('en')), '<form')
})

t.test('a form posts to this service, and redirects only to allowed targets', async (t) => {
  const policy = (leadsTo?: readonly string[]) =>
    new Map(actionPageHeaders(leadsTo)).get('Content-Security-Policy')
  t.match(policy(), "form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
  t.match(policy(['https://app.example.com']), "form-action 'self' https://app.example.com; base")
})

t.test(
  'hostile texts do nothing in a browser, and hidden values arrive as they are',
  { skip },
  async (t) => {
    const { page, complaints, show } = await openActionPages(t)
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.postData() ?? '')
    })
    const inputs = payloads.slice(0, 3).map((label, n) => ({
      name: `field${n}`,
      label,
      type: 'text' as const,
      autocomplete: 'off',
      charsMax: 9,
      hint: label,
    }))
    const hidden = Object.fromEntries(payloads.map((text, n) => [`hidden${n}`, text]))
    await show(
      actionPage({
        language: 'en',
        title: payloads[0] ?? '',
        sentences: payloads,
        warning: payloads[1],
        form: { action: '/there', hidden, inputs, button: payloads[2] ?? '' },
      }),
    )
    const counts = await page.evaluate(`({
    foreign: document.querySelectorAll('script,iframe,object,embed,img,base,style,svg,a').length,
    forms: document.forms.length,
    sentences: document.querySelectorAll('.task > p:not(.note)').length,
  })`)
    t.same(counts, { foreign: 0, forms: 1, sentences: payloads.length })
    for (const n of [0, 1, 2]) await page.fill(`[name=field${n}]`, 'x')
    await page.click('button')
    await until(() => posted.length > 0)
    const fields = new URLSearchParams(posted[0])
    for (const [name, text] of Object.entries(hidden)) {
      // A form spells each line break as two characters.
      const wanted = text.replaceAll(/\r?\n/g, '\r\n')
      t.equal(fields.get(name)?.replaceAll('\ufffd', ''), cleaned(wanted), name)
    }
    t.same(complaints, [])
  },
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no page holds
const unheld = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/g

function cleaned(text: string): string {
  return text.toWellFormed().replace(unheld, '')
}
