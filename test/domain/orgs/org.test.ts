// What an organization chooses: its language and its time zone.
import t from 'tap'
import { localeProblems, withLocale } from '../../../src/domain/orgs/org.ts'

t.test('a choice is kept, changed, or given back', async (t) => {
  const chosen = withLocale({ name: 'A' }, { language: 'de', timezone: 'Europe/Berlin' })
  t.same(chosen, { name: 'A', language: 'de', timezone: 'Europe/Berlin' })
  t.same(withLocale(chosen, {}), chosen)
  t.same(withLocale(chosen, { language: null }), { name: 'A', timezone: 'Europe/Berlin' })
  t.same(withLocale(chosen, { timezone: 'UTC' }), { name: 'A', language: 'de', timezone: 'UTC' })
})

t.test('a time zone that does not exist is named', async (t) => {
  t.same(localeProblems({ timezone: 'Asia/Tokyo' }), [])
  t.same(localeProblems({ timezone: null }), [])
  t.match(localeProblems({ timezone: 'Tokyo' }), [{ pointer: '/timezone', message: /IANA/ }])
})
