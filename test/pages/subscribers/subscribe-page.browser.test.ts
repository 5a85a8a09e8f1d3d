// The pages of subscriptions in a browser: hostile texts stay texts, and everybody can use them.
import t from 'tap'
import { type Html, toText } from '../../../src/pages/html.ts'
import { chosenSections } from '../../../src/pages/subscribers/section-boxes.ts'
import {
  askedPage,
  type SubscribePage,
  subscribePage,
} from '../../../src/pages/subscribers/subscribe-page.ts'
import {
  endedSubscriptionPage,
  endSubscriptionPage,
  noSubscriptionPage,
  type ShownSubscription,
  subscriptionPage,
} from '../../../src/pages/subscribers/subscription-page.ts'
import { type Language, languages } from '../../../src/texts/languages.ts'
import { axeIn } from '../../support/axe.ts'
import { skipWithoutBrowser as skip } from '../../support/browser.ts'
import { overhang } from '../../support/console-states.ts'
import { openActionPages } from '../../support/served-document.ts'
import { payloads } from '../../support/xss-payloads.ts'

const page = { title: 'Acme status', path: '/status/acme', sections: ['Shop', 'Office'] }

function formOf(language: Language, more: Partial<SubscribePage> = {}): Html {
  const kinds = ['email', 'webhook', 'slack'] as const
  return subscribePage({ language, page, kinds, action: '/status/acme/subscribe', ...more })
}

const subscription = (more: Partial<ShownSubscription> = {}): ShownSubscription => ({
  language: 'en',
  page: { title: page.title, url: 'https://status.acme.test', sections: page.sections },
  maskedAddress: 'a…@reader.test',
  state: 'active',
  isSilent: false,
  sectionNames: ['Shop'],
  moved: null,
  secret: null,
  ...more,
})

t.test('the form offers what the page takes, and keeps what was refused', async (t) => {
  const text = toText(formOf('en'))
  t.equal(text.split('<form method="post" action="/status/acme/subscribe">').length, 4)
  t.match(text, '<input type="email" name="address" autocomplete="email"')
  const few = toText(formOf('en', { kinds: ['slack'], page: { ...page, sections: [] } }))
  t.notMatch(few, /type="email"|checkbox/)
  const refused = { kind: 'webhook', address: 'http:/x', why: 'invalid' } as const
  t.match(
    toText(formOf('en', { refused })),
    /role="alert"[\s\S]*<details open>[\s\S]*value="http:\/x"/,
  )
  t.match(toText(formOf('ar')), '<html lang="ar" dir="rtl">')
  t.same(chosenSections({ kind: 'email', 'section-0': 'A', 'section-7': 'B' }), ['A', 'B'])
})

t.test('a link shows what it is for, and its secret only to an active webhook', async (t) => {
  const text = toText(
    subscriptionPage(subscription({ secret: 'whsec_1' }), '/subscriptions/x', true),
  )
  t.match(text, /name="section-0" value="Shop" checked>[\s\S]*value="Office">/)
  t.match(text, 'whsec_1')
  t.match(text, '<a href="/subscriptions/x/unsubscribe">Unsubscribe</a>')
  const pending = subscription({ state: 'pending', page: { ...subscription().page, sections: [] } })
  t.match(toText(subscriptionPage(pending, '/subscriptions/x', false)), '>Confirm</button>')
})

function every(language: Language): Html[] {
  return [
    formOf(language),
    formOf(language, { refused: { kind: 'email', address: 'x', why: 'invalid' } }),
    askedPage({ language, page, kind: 'email' }),
    subscriptionPage(subscription({ language, secret: 'whsec_1' }), '/subscriptions/x', true),
    subscriptionPage(subscription({ language, state: 'pending' }), '/subscriptions/x', false),
    endSubscriptionPage(subscription({ language }), '/subscriptions/x/unsubscribe'),
    endedSubscriptionPage(language),
    noSubscriptionPage(language),
  ]
}

t.test('every page has a heading in every language', async (t) => {
  for (const language of languages) {
    for (const one of every(language)) t.match(toText(one), /<h1[^>]*>[^<]+<\/h1>/)
  }
})

t.test('hostile names do nothing in a browser', { skip }, async (t) => {
  const { page: tab, complaints, show } = await openActionPages(t)
  for (const title of payloads.slice(0, 4)) {
    const hostile = { title, path: '/', sections: payloads }
    const refused = { kind: 'email', address: title, why: 'invalid' } as const
    for (const shown of [
      formOf('en', { page: hostile, refused }),
      subscriptionPage(
        subscription({ page: { ...hostile, url: title }, maskedAddress: title, secret: title }),
        '/subscriptions/x',
        false,
      ),
    ]) {
      await show(shown)
      const found = await tab.evaluate(`({
        foreign: document.querySelectorAll('script,iframe,object,embed,img,base,style,svg').length,
        handlers: [...document.querySelectorAll('*')].filter((one) =>
          [...one.attributes].some(({ name }) => name.startsWith('on'))).length,
      })`)
      t.same(found, { foreign: 0, handlers: 0 })
    }
  }
  t.same(complaints, [], 'no dialog, no error, no violation of the policy')
})

t.test('axe finds nothing, and a keyboard reaches no trap', { skip }, async (t) => {
  const { page: tab, show, write } = await openActionPages(t)
  await show(formOf('en'))
  const violations = await axeIn(tab)
  for (const [language, colorScheme, width, rules] of [
    ['en', 'light', 1280, []],
    ['ar', 'dark', 390, ['color-contrast', 'target-size']],
  ] as const) {
    await tab.emulateMedia({ colorScheme })
    await tab.setViewportSize({ width, height: 800 })
    for (const shown of every(language)) {
      await write(shown)
      t.same(await violations(...rules), [], `${language} ${await tab.title()}`)
      t.ok((await overhang(tab)) <= 0, 'nothing is wider than the screen')
    }
  }
  await show(formOf('en'))
  const reached: unknown[] = []
  for (let press = 0; press < 6; press += 1) {
    await tab.keyboard.press('Tab')
    reached.push(
      await tab.evaluate('document.activeElement.name || document.activeElement.tagName'),
    )
  }
  t.same(reached, ['A', 'address', 'section-0', 'section-1', 'BUTTON', 'SUMMARY'])
})
