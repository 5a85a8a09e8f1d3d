// Where monitors look, in the words of other products.
import t from 'tap'
import { eachStatus, placeOf, statusesOf } from '../../../src/domain/exports/targets.ts'

t.test('an address is a host and a port, the usual one where it has none', async (t) => {
  t.match(placeOf('postgres://db.example.com/shop'), { host: 'db.example.com', port: 5_432 })
  t.match(placeOf('mqtts://[2001:db8::1]:8884/a'), {
    host: '[2001:db8::1]',
    port: 8_884,
    path: '/a',
  })
  t.match(placeOf('ping://192.0.2.1'), { host: '192.0.2.1', port: undefined })
  t.equal(placeOf('192.0.2.1'), undefined)
})

t.test('statuses that touch or overlap are one range', async (t) => {
  t.same(statusesOf(200, ['201-204', '203-206', '301']), [
    [200, 206],
    [301, 301],
  ])
  t.same(statusesOf(200, ['100-599']), [[100, 599]])
  t.same(eachStatus([[200, 202]]), [200, 201, 202])
})
