// Polish: the forms that numbers take.
import t from 'tap'
import { pl } from '../../../src/channels/words/pl.ts'

t.test('one, a few, and many of a thing', async (t) => {
  t.equal(pl.certificateExpires('Shop', 0), 'Certyfikat Shop wygasa za mniej niż jeden dzień')
  t.equal(pl.certificateExpires('Shop', 1), 'Certyfikat Shop wygasa za 1 dzień')
  t.equal(pl.domainExpires('shop.test', 3), 'Domena shop.test wygasa za 3 dni')
  t.equal(pl.domainExpires('shop.test', 14), 'Domena shop.test wygasa za 14 dni')
  t.equal(pl.incidentsOpened(1), 'Otwarto 1 incydent')
  t.equal(pl.incidentsOpened(2), 'Otwarto 2 incydenty')
  t.equal(pl.incidentsOpened(5), 'Otwarto 5 incydentów')
  t.equal(pl.incidentsOpened(12), 'Otwarto 12 incydentów')
  t.equal(pl.incidentsOpened(22), 'Otwarto 22 incydenty')
  t.equal(pl.incidentsResolved(25), 'Rozwiązano 25 incydentów')
})
