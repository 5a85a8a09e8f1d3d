// The page that ends letters: it names the address and the channel, and has one button.
import t from 'tap'
import { toText } from '../../src/pages/html.ts'
import { unsubscribedPage, unsubscribePage } from '../../src/pages/unsubscribe-page.ts'

const hostile = '"><script>alert(1)</script>'

t.test('the page names what ends, and has one button', async (t) => {
  const text = toText(
    unsubscribePage({
      action: '/unsubscribe/token',
      address: 'ann@example.test',
      channelName: hostile,
      organizationName: hostile,
    }),
  )
  t.notMatch(text, /<script/)
  t.match(text, 'ann@example.test')
  t.match(text, 'action="/unsubscribe/token"')
  t.equal(text.split('type="submit"').length, 2)
})

t.test('once they have ended there is nothing to press', async (t) => {
  t.notMatch(toText(unsubscribedPage()), /<form/)
})
