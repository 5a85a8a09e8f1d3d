// What each kind of setting takes and refuses.
import t from 'tap'
import * as kinds from '../../src/config/kinds.ts'

function table<T>(kind: kinds.Kind<T>, taken: [unknown, unknown][], refused: unknown[]) {
  return async (t: { same: (a: unknown, b: unknown, m: string) => unknown }) => {
    for (const [raw, value] of taken) t.same(kind.parse(raw), value, `${raw}`)
    for (const raw of refused) t.same(kind.parse(raw), undefined, `refused: ${raw}`)
  }
}

t.test(
  'an address to listen on has a host and a port',
  table(
    kinds.listenAddress,
    [
      ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
      ['[::]:443', { host: '::', port: 443 }],
      ['localhost:8080', { host: 'localhost', port: 8080 }],
    ],
    ['8080', ':8080', '127.0.0.1', '::1:80', '[x]:80', 'a b:80', 'a:65536', 'a:-1', 8080, null],
  ),
)

t.test(
  'an origin is http or https without anything behind it',
  table(
    kinds.origin,
    [
      ['https://Up.Example.com/', 'https://up.example.com'],
      ['http://localhost:8080', 'http://localhost:8080'],
    ],
    ['ftp://a.example', 'https://a.example/x', 'https://u:p@a.example', 'https://a.example?x', 'a'],
  ),
)

t.test(
  'a host name has a dot and no port',
  table(
    kinds.hostname,
    [['Status.Example.com.', 'status.example.com']],
    ['localhost', '127.0.0.1', 'a.example:80', '-a.example', 'a..b', 'pages.1', '0x7f.0x1', ''],
  ),
)

t.test(
  'a block is an address with at most its bits',
  table(
    kinds.addressBlock,
    [
      ['10.0.0.0/8', '10.0.0.0/8'],
      ['::1', '::1'],
      ['fd00::/8', 'fd00::/8'],
    ],
    ['10.0.0.0/33', 'fd00::/129', '10.0.0/8', '10.0.0.0/', '10.0.0.0/8/8', 'a.example', 10],
  ),
)

t.test(
  'a name server is an address, with a port or without',
  table(
    kinds.nameServer,
    [
      ['9.9.9.9', '9.9.9.9'],
      ['9.9.9.9:53', '9.9.9.9:53'],
      ['::1', '::1'],
      ['[::1]', '[::1]'],
      ['[::1]:53', '[::1]:53'],
    ],
    ['dns.example', 'https://9.9.9.9', '9.9.9.9:99999', '9.9.9.9:0', '[::1]:0'],
  ),
)

t.test(
  'a whole number stays in its range',
  table(
    kinds.integer(1, 10),
    [
      [1, 1],
      [10n, 10],
    ],
    [0, 11, 1.5, '5', null, Number.NaN],
  ),
)

t.test('mail is sent by smtp, from one mailbox', async (t) => {
  const servers: [unknown, unknown][] = [
    ['smtps://a.example', 'smtps://a.example'],
    ['smtp://u:p%40ss@[::1]:25/', 'smtp://u:p%40ss@[::1]:25/'],
  ]
  const noServers = [
    ...['http://a', 'smtp:', 'smtp://u:100%@a', 'smtp://a?requireTLS=false', 'smtp://a/b'],
    'smtp://a:0',
  ]
  await table(kinds.smtpUrl, servers, noServers)(t)
  const taken: [unknown, unknown][] = [
    ['a@b.example', 'a@b.example'],
    ['A B <a@b.example>', 'A B <a@b.example>'],
  ]
  await table(kinds.mailbox, taken, ['a', 'a@', 'A <a>', 'a@b\r\nBcc: c@d', 'A\n<a@b>'])(t)
})

t.test('the text of a variable becomes the value that the file would have', async (t) => {
  t.equal(kinds.integer(0, 9).fromText(' 7 '), 7)
  t.equal(kinds.integer(0, 9).fromText('7s'), '7s')
  t.same(kinds.listOf(kinds.integer(0, 9)).fromText('1, 2,'), [1, 2])
  t.equal(kinds.oneOf('a', 'b').parse(kinds.oneOf('a', 'b').fromText('b')), 'b')
  t.equal(kinds.listOf(kinds.path).parse(['a', 1]), undefined, 'one wrong item refuses the list')
})

t.test(
  'a table has names with values',
  table(
    kinds.tableOf(kinds.engineAddress),
    [
      [{}, {}],
      [
        { local: '/run/docker.sock', 'far-away': 'https://10.0.0.1:2376' },
        { local: '/run/docker.sock', 'far-away': 'https://10.0.0.1:2376' },
      ],
    ],
    [
      ...[[], 'text', null, { Local: '/a' }, { '': '/a' }, { a: 'docker.sock' }, { a: 7 }],
      ...[{ a: 'https://a/path' }, { a: '/a/../b' }, { a: 'ssh://a' }, { __proto__x: '/a' }],
    ],
  ),
)

t.test(
  'a command begins with the whole path of a program',
  table(
    kinds.commandLine,
    [
      [
        ['/bin/check', '-w', '{days}'],
        ['/bin/check', '-w', '{days}'],
      ],
    ],
    [
      [],
      ['check'],
      '/bin/check',
      ['/bin/../sh'],
      ['/bin/check', 7],
      ['/bin/a', 'b\0'],
      [['/a']],
      null,
    ],
  ),
)

t.test(
  'what may be watched of the machine has a name or a whole path',
  table(
    kinds.hostPart,
    [
      ['memory', 'memory'],
      ['/', '/'],
      ['/var/', '/var'],
    ],
    ['disk', 'var', '/var/..', '//', '/a//b', '/./a', ''],
  ),
)

t.test(
  'a unit has its type',
  table(
    kinds.unitPattern,
    [
      ['nginx.service', 'nginx.service'],
      ['getty@*.service', 'getty@*.service'],
      ['*', '*'],
    ],
    ['nginx', 'a b.service', '/etc/x.service', ''],
  ),
)

t.test(
  'an organization is named by its id',
  table(
    kinds.organizationId,
    [['org_01jd0000000000000000000000', 'org_01jd0000000000000000000000']],
    ['acme', 'usr_01jd0000000000000000000000', 'org_x'],
  ),
)
