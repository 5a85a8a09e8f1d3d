// The locale of an organization, and which time zones exist.
import t from 'tap'
import { isTimezone, localeOf } from '../../src/domain/language.ts'

t.test('what an organization has not chosen is English and UTC', async (t) => {
  t.same(localeOf(undefined), { language: 'en', timezone: 'UTC' })
  t.same(localeOf({ language: 'de' }), { language: 'de', timezone: 'UTC' })
  t.same(localeOf({ timezone: 'Asia/Tokyo' }), { language: 'en', timezone: 'Asia/Tokyo' })
})

t.test('a time zone is one of the IANA database', async (t) => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/New_York']) t.ok(isTimezone(name), name)
  for (const name of ['', 'Berlin', '+01:00', 'Europe/Nowhere', 'x'.repeat(500)])
    t.notOk(isTimezone(name))
})
