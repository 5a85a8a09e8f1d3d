// German: the forms that numbers take.
import t from 'tap'
import { de } from '../../../src/channels/words/de.ts'

t.test('one of a thing, several, and less than a day', async (t) => {
  t.equal(
    de.certificateExpires('Shop', 0),
    'Das Zertifikat von Shop läuft in weniger als einem Tag ab',
  )
  t.equal(de.certificateExpires('Shop', 1), 'Das Zertifikat von Shop läuft in 1 Tag ab')
  t.equal(de.domainExpires('shop.test', 7), 'Die Domain shop.test läuft in 7 Tagen ab')
  t.equal(de.incidentsOpened(1), '1 neuer Vorfall')
  t.equal(de.incidentsOpened(12), '12 neue Vorfälle')
  t.equal(de.incidentsResolved(1), '1 Vorfall behoben')
  t.equal(de.incidentsResolved(2), '2 Vorfälle behoben')
})
