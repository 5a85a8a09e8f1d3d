// A table of monitors: its columns are known by several names, and what is not known is named.
import t from 'tap'
import { fromCsv } from '../../../../src/domain/imports/csv/csv.ts'

t.test('each kind has its counterpart', async (t) => {
  const { source, monitors, notes } = fromCsv(
    [
      'Name,Type,URL,Interval,Timeout,Keyword,Tags,Group,Paused,Port,Method,Description,Color',
      'Shop,http,https://shop.example.org/,60,5,Cart,"prod,shop",Web,,,POST,The shop,red',
      'Host,,www.example.org,5m,,,,,yes,,,,',
      'Router,ping,192.0.2.1,30 sec,,,,,,,,,',
      'Mail,Port,mx.example.org,,,,,,,25,,,',
      'Job,heartbeat,,2d,,,,,,,,,',
      'Cert,ssl,https://shop.example.org/x,,,,,,,,,,',
      'Name,domain,example.org,,,,,,,,,,',
      'Odd,ftp,ftp.example.org,,,,,,,,,,',
    ].join('\n'),
  )
  t.same(source, { product: 'csv', installation: 'csv' })
  t.same(monitors[0], {
    origin: 'row/Shop',
    name: 'Shop',
    checkType: 'endpoint',
    url: 'https://shop.example.org/',
    intervalSeconds: 60,
    timeoutMs: 5_000,
    method: 'POST',
    bodyContains: 'Cart',
    isActive: true,
    tags: ['prod', 'shop', 'Web'],
    description: 'The shop',
  })
  t.match(monitors[1], { url: 'https://www.example.org', intervalSeconds: 300, isActive: false })
  t.match(monitors[2], { checkType: 'ping', url: 'ping://192.0.2.1', intervalSeconds: 30 })
  t.match(monitors[3], { checkType: 'tcp', url: 'tcp://mx.example.org:25' })
  t.match(monitors[4], { checkType: 'push', intervalSeconds: 86_400, graceSeconds: 86_460 })
  t.match(monitors[5], { checkType: 'ssl', url: 'https://shop.example.org:443' })
  t.match(monitors[6], { checkType: 'domain', url: 'domain://example.org' })
  t.equal(monitors.length, 7)
  const lines = notes.map(({ name, text }) => `${name}: ${text}`).join('\n')
  t.match(lines, /null: the column "Color"/)
  t.match(lines, /Odd: its type "ftp" has no equivalent/)
  t.match(lines, /Job: its push address is a new one/)
})

t.test('what UptimeRobot exports is read, with the word that it alerts on', async (t) => {
  const { monitors } = fromCsv(
    'Type,Friendly Name,URL/IP,Interval,Keyword Type,Keyword Value,Port\n' +
      'Keyword,A,https://a.example/,300,Exists,Error,\n' +
      'Keyword,B,https://b.example/,300,Not Exists,Welcome,\n' +
      'Port,C,c.example,300,,,22\n',
  )
  t.match(monitors, [
    { bodyNotContains: 'Error' },
    { bodyContains: 'Welcome' },
    { url: 'tcp://c.example:22' },
  ])
})

t.test('a row is known by its id, or its name, once', async (t) => {
  const { monitors } = fromCsv('id,name,url\n7,A,a.example\n,B,b.example\n,B,c.example\n')
  t.same(
    monitors.map(({ origin }) => origin),
    ['row/7', 'row/B', undefined],
  )
})

t.test('what is no table of monitors is refused', async (t) => {
  for (const text of ['', 'x', 'a,b\n1,2', '{"a":1}', '__proto__,constructor\n1,2']) {
    t.throws(
      () => fromCsv(text),
      { name: 'ForeignFileRefused', message: /names its columns/ },
      text,
    )
  }
  t.match(fromCsv('name,interval,url\nA,soon,a.example').notes, [{ text: /no number of seconds/ }])
})
