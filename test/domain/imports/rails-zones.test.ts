// Names of time zones as services on Rails have them become those of IANA.
import t from 'tap'
import { zoneOf } from '../../../src/domain/imports/rails-zones.ts'

t.test('cities, regions and IANA names are found, and nothing else', async (t) => {
  t.equal(zoneOf('Berlin'), 'Europe/Berlin')
  t.equal(zoneOf('Kuala Lumpur'), 'Asia/Kuala_Lumpur')
  t.equal(zoneOf('Eastern Time (US & Canada)'), 'America/New_York')
  t.equal(zoneOf("Nuku'alofa"), 'Pacific/Tongatapu')
  t.equal(zoneOf('Europe/Prague'), 'Europe/Prague')
  t.equal(zoneOf('UTC'), 'UTC')
  for (const name of ['', 'Atlantis', '__proto__', 'x'.repeat(10_000)])
    t.equal(zoneOf(name), undefined)
})
