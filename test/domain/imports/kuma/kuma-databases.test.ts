// The databases of Uptime Kuma become ours.
import t from 'tap'
import { fromKuma } from '../../../../src/domain/imports/kuma/kuma.ts'

t.test('databases keep user name and password, but not in their address', (t) => {
  const databaseOf = (type: string, databaseConnectionString: string, fields: object = {}) => {
    const item = { type, databaseConnectionString, name: 'Db', ...fields }
    const { monitors, notes } = fromKuma([item])
    return { ...monitors[0], said: notes.map(({ text }) => text) }
  }
  const databaseQuery = 'SELECT 1'
  t.match(databaseOf('postgres', 'postgres://ann:p%40s:s@w@db.test:5433/shop', { databaseQuery }), {
    checkType: 'postgres',
    url: 'postgres://db.test:5433/shop',
    username: 'ann',
    password: 'p@s:s@w',
    body: databaseQuery,
    ignoreTlsErrors: true,
  })
  const judged = databaseOf('postgres', 'postgresql://ann@[2001:db8::1]/shop?sslmode=verify-full')
  t.match(judged, { url: 'postgres://[2001:db8::1]/shop?tls=required', username: 'ann' })
  t.notHas(judged, { ignoreTlsErrors: true })
  t.match(databaseOf('redis', 'rediss://:s3cret@cache.test:6380/2', { ignoreTls: true }), {
    checkType: 'redis',
    url: 'rediss://cache.test:6380/2',
    username: undefined,
    password: 's3cret',
    ignoreTlsErrors: true,
  })
  const ssl = '{"rejectUnauthorized":false}'
  const radiusPassword = 'new'
  t.match(databaseOf('mysql', `mysql://ann:old@db.test/shop?ssl=${ssl}`, { radiusPassword }), {
    url: 'mysql://db.test/shop?tls=required',
    password: radiusPassword,
    ignoreTlsErrors: true,
  })
  const mongo =
    'mongodb://ann:s3cret@a.test:27018,b.test/shop?replicaSet=rs&authSource=admin&tls=true'
  const fields = { databaseQuery: '{"ping": 1}', jsonPath: '$.ok' }
  t.match(databaseOf('mongodb', mongo, fields), {
    url: 'mongodb://a.test:27018/shop?tls=true&authSource=admin',
    password: 's3cret',
    body: '{"ping": 1}',
    said: [/\$\.ok/, /b\.test/],
  })
  t.match(databaseOf('mongodb', 'mongodb+srv://a.test/shop'), { checkType: undefined })
  const ado =
    'Server=tcp:db.test,1434;Initial Catalog=shop;User Id=ann;Password="p;w=1";Encrypt=false'
  t.match(databaseOf('sqlserver', ado, { databaseQuery }), {
    checkType: 'sqlserver',
    url: 'sqlserver://db.test:1434/shop',
    username: 'ann',
    password: 'p;w=1',
    body: databaseQuery,
    ignoreTlsErrors: true,
  })
  const strict = databaseOf('sqlserver', 'data source=.; uid=sa; pwd=x=y; Encrypt=Strict')
  t.match(strict, { url: 'sqlserver://localhost?tls=strict', username: 'sa', password: 'x=y' })
  t.notHas(strict, { ignoreTlsErrors: true })
  t.match(databaseOf('sqlserver', 'Server=db\\SHOP;Database=a'), { checkType: undefined })
  t.match(databaseOf('sqlserver', 'Server=db\\SHOP,1500;Database=a'), {
    url: 'sqlserver://db:1500/a',
  })
  t.match(databaseOf('redis', 'nonsense'), { checkType: undefined, said: [/connection string/] })
  t.end()
})
