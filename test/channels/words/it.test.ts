// Italian: the forms that numbers take.
import t from 'tap'
import { it } from '../../../src/channels/words/it.ts'

t.test('one of a thing, and several', async (t) => {
  t.equal(it.certificateExpires('Shop', 0), 'Il certificato di Shop scade tra meno di un giorno')
  t.equal(it.certificateExpires('Shop', 1), 'Il certificato di Shop scade tra 1 giorno')
  t.equal(it.domainExpires('shop.test', 7), 'Il dominio shop.test scade tra 7 giorni')
  t.equal(it.incidentsOpened(1), '1 incidente aperto')
  t.equal(it.incidentsOpened(12), '12 incidenti aperti')
  t.equal(it.incidentsResolved(2), '2 incidenti risolti')
  t.equal(it.more(1), '1 altro')
  t.equal(it.more(3), 'altri 3')
})
