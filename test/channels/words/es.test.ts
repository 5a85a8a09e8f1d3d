// Spanish: the forms that numbers take.
import t from 'tap'
import { es } from '../../../src/channels/words/es.ts'

t.test('one of a thing, and several', async (t) => {
  t.equal(es.certificateExpires('Shop', 0), 'El certificado de Shop caduca en menos de un día')
  t.equal(es.certificateExpires('Shop', 1), 'El certificado de Shop caduca en 1 día')
  t.equal(es.domainExpires('shop.test', 7), 'El dominio shop.test caduca en 7 días')
  t.equal(es.incidentsOpened(1), '1 incidente abierto')
  t.equal(es.incidentsOpened(12), '12 incidentes abiertos')
  t.equal(es.incidentsResolved(1), '1 incidente resuelto')
  t.equal(es.incidentsResolved(2), '2 incidentes resueltos')
})
