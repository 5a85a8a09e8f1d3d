// What a typed address becomes.
import t from 'tap'

// The daemon's sources are not compiled with the types of a browser.
await import(new URL('../../support/console-modules.ts', import.meta.url).href)
const { addressFor, guessMonitor, isCurl, saysHow, takes } = await import(
  '../../../src/console/pages/monitors/editor/guess.ts'
)

const cases: readonly (readonly [text: string, kind: string | undefined, url?: string])[] = [
  ['example.com', 'endpoint', 'https://example.com'],
  ['  https://example.com/shop?x=1 ', 'endpoint', 'https://example.com/shop?x=1'],
  // Many health pages answer with plain text.
  ['https://example.com/healthz', 'endpoint'],
  ['192.0.2.1', 'ping', 'ping://192.0.2.1'],
  ['db.example.com:5432', 'postgres', 'postgres://db.example.com:5432'],
  ['db.example.com:4222', 'tcp', 'tcp://db.example.com:4222'],
  ['mx.example.com:25', 'smtp', 'smtp://mx.example.com:25'],
  ['example.com:8080', 'endpoint', 'https://example.com:8080'],
  ['ssh://ada@server.example.com', 'ssh', 'ssh://server.example.com'],
  ['server.example.com:22', 'ssh', 'ssh://server.example.com:22'],
  ['time.example.com:123', 'ntp', 'ntp://time.example.com:123'],
  ['udp://game.example.com:27015', 'udp'],
  ['ldaps://ada:secret@ldap.example.com/dc=example', 'ldap', 'ldaps://ldap.example.com/dc=example'],
  ['switch.example.com:161', 'snmp', 'snmp://switch.example.com:161'],
  ['radius.example.com:1812', 'radius', 'radius://radius.example.com:1812'],
  ['wss://example.com/live', 'websocket'],
  ['tls://example.com:993', 'ssl'],
  ['dns://example.com?type=MX', 'dns'],
  ['localhost:3000', 'endpoint'],
  ['postgres://ann:secret@db.example.com/shop', 'postgres', 'postgres://db.example.com/shop'],
  ['jdbc:mysql://db:3307/shop', 'mysql', 'mysql://db:3307/shop'],
  ['redis://cache', 'redis', 'redis://cache'],
  ['mssql://sa:secret@db.example.com/shop', 'sqlserver', 'mssql://db.example.com/shop'],
  ['db.example.com:1433', 'sqlserver', 'sqlserver://db.example.com:1433'],
  ['Server=db.example.com;Trusted_Connection=no;', 'sqlserver', 'sqlserver://db.example.com'],
  [
    'jdbc:sqlserver://db:1434;databaseName=shop;user=ann;password=secret;encrypt=true',
    'sqlserver',
    'sqlserver://db:1434/shop',
  ],
  ['https://example.com/?a=1;b=2', 'endpoint', 'https://example.com/?a=1;b=2'],
  ['a=b;c=d', undefined],
  ['mqtts://ann:secret@broker/a/b', 'mqtt', 'mqtts://broker/a/b'],
  ['amqp://guest:guest@mq/shop', 'amqp', 'amqp://mq/shop'],
  ['systemd://nginx.service', 'systemd', 'systemd://nginx.service'],
  ['file:///var/backups/*.dump?maxAge=26h', 'file', 'file:///var/backups/*.dump?maxAge=26h'],
  ['broker.example.com:9092', 'kafka', 'kafka://broker.example.com:9092'],
  ['ping 127.0.0.1', 'ping', 'ping://127.0.0.1'],
  ['ping -c 3 db.example.com', 'ping', 'ping://db.example.com'],
  ['telnet db.example.com 5432', 'tcp', 'tcp://db.example.com:5432'],
  ['curl -sS https://example.com/x', 'endpoint', 'https://example.com/x'],
  ['ping', undefined],
  ['gopher://example.com', undefined],
  ['ftp://example.com', 'ftp'],
  ['two words', undefined],
  ['', undefined],
  ['https://', undefined],
]

t.test('an address is understood as people mean it', async (t) => {
  for (const [text, kind, url] of cases) {
    const guess = guessMonitor(text)
    t.equal(guess?.checkType, kind, text)
    if (url !== undefined) t.equal(guess?.url, url)
  }
})

t.test('a login in an address goes to fields of its own', async (t) => {
  t.match(guessMonitor('postgres://ann:se%3Acret@db.example.com/shop'), {
    username: 'ann',
    password: 'se:cret',
  })
  t.match(guessMonitor('redis://:secret@cache'), { url: 'redis://cache', password: 'secret' })
  const pairs = 'Server=tcp:db.example.com,1433;Initial Catalog=shop;User ID=ann;Password=se=cr:et'
  t.match(guessMonitor(pairs), {
    url: 'sqlserver://db.example.com:1433/shop',
    username: 'ann',
    password: 'se=cr:et',
  })
  t.match(guessMonitor('https://ann:secret@example.com'), {
    url: 'https://example.com',
    username: 'ann',
    password: 'secret',
  })
})

t.test('a name that is made from an address is its host alone', async (t) => {
  for (const [text, name] of [
    ['https://example.com/shop', 'example.com'],
    ['https://shop.example.com:8443/health?key=1', 'shop.example.com'],
    ['db.internal:5432', 'db.internal'],
    ['file:///var/backups/db.dump?maxAge=26h', 'db.dump'],
    ['container://local/web', 'web'],
    ['systemd://nginx.service', 'nginx.service'],
    ['postgres://ann:secret@db.example.com/shop', 'db.example.com'],
    ['http://[2001:db8::1]:8080/', '2001:db8::1'],
  ] as const) {
    t.equal(guessMonitor(text)?.name, name)
  }
})

t.test('an address follows the kind that is chosen', async (t) => {
  for (const [kind, text, url] of [
    ['keyword', 'http://example.com/a', 'http://example.com/a'],
    ['ping', 'https://example.com:8443/a?b', 'ping://example.com'],
    ['tcp', 'https://example.com/', 'tcp://example.com:443'],
    ['tcp', 'http://example.com/', 'tcp://example.com:80'],
    ['tcp', 'db.example.com', 'tcp://db.example.com'],
    ['ssl', 'https://example.com/a', 'https://example.com/a'],
    ['ssl', 'wss://example.com/a', 'tls://example.com:443'],
    ['websocket', 'http://example.com/live', 'ws://example.com/live'],
    ['websocket', 'https://example.com/live', 'wss://example.com/live'],
    ['endpoint', 'tcp://example.com:8443', 'https://example.com:8443'],
    ['smtp', 'https://mx.example.com/', 'smtp://mx.example.com'],
    ['domain', 'https://example.com/a', 'domain://example.com'],
    ['ping', 'nonsense', 'nonsense'],
  ] as const) {
    t.equal(addressFor(kind, text), url, `${kind} ${text}`)
  }
  t.ok(takes('keyword', 'https://example.com'))
  t.notOk(takes('keyword', 'tcp://example.com:1'))
  t.notOk(takes('push', 'https://example.com'))
  t.ok(saysHow('postgres://db') && saysHow('ping db') && saysHow('Server=db;Database=a'))
  t.notOk(saysHow('example.com:5432') || saysHow('two words'))
})

t.test('a command of curl is told from its address alone', async (t) => {
  t.ok(isCurl("curl -X POST https://shop.test/ -d 'a=1'"))
  t.ok(isCurl('  curl.exe "https://shop.test/" ^\n -H "A: b"'))
  t.notOk(isCurl('curl https://shop.test/'), 'the address says all of it')
  t.notOk(isCurl('https://curl.se/docs -x'))
})
