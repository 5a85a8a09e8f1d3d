// Portuguese: the forms that numbers take.
import t from 'tap'
import { pt } from '../../../src/channels/words/pt.ts'

t.test('one of a thing, and several', async (t) => {
  t.equal(pt.certificateExpires('Shop', 0), 'O certificado de Shop expira em menos de um dia')
  t.equal(pt.certificateExpires('Shop', 1), 'O certificado de Shop expira em 1 dia')
  t.equal(pt.domainExpires('shop.test', 7), 'O domínio shop.test expira em 7 dias')
  t.equal(pt.incidentsOpened(1), '1 incidente aberto')
  t.equal(pt.incidentsOpened(12), '12 incidentes abertos')
  t.equal(pt.incidentsResolved(1), '1 incidente resolvido')
  t.equal(pt.incidentsResolved(2), '2 incidentes resolvidos')
})
