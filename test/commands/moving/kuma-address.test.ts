// The address of a database: its password may come from elsewhere.
import t from 'tap'
import { isKumaServer, kumaServer } from '../../../src/commands/moving/kuma-address.ts'

const host = { env: {}, cwd: '/', ask: async () => 'typed ' }

t.test('an address names a user and a database', async (t) => {
  t.ok(isKumaServer('mariadb://kuma@db.example.com/kuma'))
  t.notOk(isKumaServer('https://kuma.example.com'))
  const own = { host: 'db.example.com', port: 3_306, database: 'kuma', user: 'kuma' }
  const read = (text: string) => kumaServer(host, text, undefined)
  t.same(await read('mariadb://kuma@db.example.com/kuma'), {
    ...own,
    password: 'typed',
    isTls: false,
  })
  t.same(await read('mysql://kuma:a%40b@db.example.com:3307/kuma?tls=required'), {
    ...own,
    port: 3_307,
    password: 'a@b',
    isTls: true,
  })
  for (const wrong of [
    'mariadb://db.example.com/kuma',
    'mariadb://kuma@db.example.com',
    'mysql:x',
  ]) {
    await t.rejects(read(wrong), { message: /^the address of the database / }, wrong)
  }
})
