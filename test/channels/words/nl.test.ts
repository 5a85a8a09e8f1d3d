// Dutch: the forms that numbers take.
import t from 'tap'
import { nl } from '../../../src/channels/words/nl.ts'

t.test('one of a thing, and several', async (t) => {
  t.equal(
    nl.certificateExpires('Shop', 0),
    'Het certificaat van Shop verloopt over minder dan een dag',
  )
  t.equal(nl.certificateExpires('Shop', 1), 'Het certificaat van Shop verloopt over 1 dag')
  t.equal(nl.domainExpires('shop.test', 7), 'Het domein shop.test verloopt over 7 dagen')
  t.equal(nl.incidentsOpened(1), '1 nieuw incident')
  t.equal(nl.incidentsOpened(12), '12 nieuwe incidenten')
  t.equal(nl.incidentsResolved(1), '1 incident opgelost')
  t.equal(nl.incidentsResolved(2), '2 incidenten opgelost')
})
