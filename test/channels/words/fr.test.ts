// French: the forms that numbers take.
import t from 'tap'
import { fr } from '../../../src/channels/words/fr.ts'

t.test('nought is a singular', async (t) => {
  t.equal(fr.certificateExpires('Shop', 0), 'Le certificat de Shop expire dans moins d’un jour')
  t.equal(fr.certificateExpires('Shop', 1), 'Le certificat de Shop expire dans 1 jour')
  t.equal(fr.domainExpires('shop.test', 7), 'Le domaine shop.test expire dans 7 jours')
  t.equal(fr.incidentsOpened(0), '0 incident ouvert')
  t.equal(fr.incidentsOpened(1), '1 incident ouvert')
  t.equal(fr.incidentsOpened(2), '2 incidents ouverts')
  t.equal(fr.incidentsResolved(12), '12 incidents résolus')
  t.equal(fr.more(1), '1 autre')
  t.equal(fr.more(3), '3 autres')
})
