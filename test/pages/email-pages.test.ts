// The pages about addresses: each asks one question, and a mailbox is told what it needs to know.
import t from 'tap'
import {
  changeEmailPage,
  deadEmailLinkPage,
  emailDonePage,
  emailOutcomes,
  verifyEmailPage,
} from '../../src/pages/email-pages.ts'
import { toText } from '../../src/pages/html.ts'

const language = 'en' as const
const hostile = '"><script>alert(1)</script>'

t.test('confirming is one button', async (t) => {
  const text = toText(
    verifyEmailPage({ language, email: hostile, action: '/verify', token: hostile }),
  )
  t.notMatch(text, /<script/)
  t.equal(text.split('type="submit"').length, 2)
})

t.test('a change can be agreed to or refused, with the effect explained', async (t) => {
  const about = { language, from: hostile, to: hostile, action: '/change', token: hostile }
  const pages = (['old', 'new'] as const).map((side) => toText(changeEmailPage({ ...about, side })))
  for (const text of pages) {
    t.notMatch(text, /<script/)
    t.match(text, /name="answer" value="refuse"/)
  }
  t.match(pages[0], /every session of the account ends/)
  t.notMatch(pages[1], /every session/)
})

t.test('every outcome has its page, and a failed link is explained', async (t) => {
  for (const outcome of emailOutcomes) t.notMatch(toText(emailDonePage(language, outcome)), /<form/)
  t.match(toText(deadEmailLinkPage(language, hostile)), /role="alert"/)
  t.notMatch(toText(deadEmailLinkPage(language)), /role="alert"/)
})
