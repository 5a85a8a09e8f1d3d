// What monitors of each kind may not be: every mistake has its pointer, and a sentence about it.
import t, { type Test } from 'tap'
import type { OwnerWithKey } from '../support/cast.ts'
import { registerWithKey } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'

/** A URL, or fields; the field that is to blame, where it is not the URL; what is said of it. */
type Mistake =
  | readonly [url: string, message: string]
  | readonly [fields: object, pointer: string, message: string]

const long = 'a'.repeat(64)
const httpStart = 'must start with http:// or https://'
const pingForm = 'must be a host or ping://host, with :port for TCP'
const blanksAround = 'must not begin or end with a space'
const noPort = 'must name a port from 1 to 65535'
const noPassword = 'must not contain a user name or password'
const noServer = 'must have a server such as 192.0.2.1, [2001:db8::1]:5353 or ns.example.com'
const noRdap = (suffix: string) =>
  `names a domain below .${suffix}, whose registry cannot be queried (it offers no RDAP)`
const nothing = (checkType: string) => `does not apply to checkType ${checkType}`

const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  endpoint: [
    [{}, '/url', 'is required'],
    ['example.com', `${httpStart}; did you mean https://example.com?`],
    ['ftp://example.com/', httpStart],
    [' https://example.com/', blanksAround],
    ['https://example.com/\n', blanksAround],
    [' ', blanksAround],
    ['wss://example.com/', httpStart],
    ['https://', 'must name a host'],
    ['https:///path', 'must name a host'],
    ['https://a b/', 'must not contain spaces, control characters or \\'],
    ['http://me:word@example.com/', noPassword],
    ['http://example.com:0/', 'must not name port 0'],
    ['http://example.com:65536/', 'is not a valid URL'],
    [`https://${'a'.repeat(2_048)}/`, 'must have at most 2048 characters'],
    [
      { url: 'http://example.com', method: 'HEAD', bodyContains: 'ok' },
      '/method',
      'must not be HEAD when bodyContains is given: it needs a response body',
    ],
    [
      { url: 'http://example.com', responseAssertionType: 'jsonPath', responseAssertionPath: 'ok' },
      '/responseAssertionPath',
      "is not a valid JSONPath: expected '$', found 'o' ('ok':0)",
    ],
  ],
  health: [
    ['ping://example.com', httpStart],
    [
      { url: 'http://example.com', method: 'HEAD' },
      '/method',
      'must not be HEAD on a health monitor: the check reads the body',
    ],
  ],
  keyword: [
    [
      { url: 'http://example.com' },
      '/bodyContains',
      'is required on a keyword monitor unless bodyNotContains is given',
    ],
  ],
  ssl: [
    ['http://example.com', 'must start with https:// or tls://'],
    ['https://', 'must name a host'],
    ['https://example.com:0', noPort],
    ['https://me@example.com', noPassword],
    ['tls://example.com', 'must name a port, such as tls://host:993'],
    ['tls://example.com:993/inbox', 'must end after the port'],
    [{ url: 'https://example.com', method: 'POST' }, '/method', nothing('ssl')],
    [{ url: 'https://example.com', headers: { 'X-A': 'b' } }, '/headers', nothing('ssl')],
    [{ url: 'https://example.com', expectedStatus: 201 }, '/expectedStatus', nothing('ssl')],
    [{ url: 'https://example.com', ignoreTlsErrors: true }, '/ignoreTlsErrors', nothing('ssl')],
  ],
  ping: [
    ['http://example.com', pingForm],
    ['ping://', pingForm],
    ['ping://example.com/path', pingForm],
    ['-f 127.0.0.1', pingForm],
    ['ping://example.com:70000', noPort],
    [{ url: 'ping://example.com', body: 'hello' }, '/body', nothing('ping')],
  ],
  push: [
    ['http://example.com', 'must be absent on a push monitor'],
    [{ headers: { 'X-A': 'b' } }, '/headers', nothing('push')],
    [{ timeoutMs: 5_000 }, '/timeoutMs', nothing('push')],
    [{ failureThreshold: 2 }, '/failureThreshold', nothing('push')],
    [{ assertions: [{ source: 'body', type: 'exists' }] }, '/assertions', nothing('push')],
  ],
  tcp: [
    ['example.com:80', 'must start with tcp://; did you mean tcp://example.com:80?'],
    ['tcp://example.com', 'must name a port, such as tcp://host:5432'],
    ['tcp://example.com:http', noPort],
    ['tcp://:80', 'must name a host'],
    ['tcp://[::1', 'must name a valid host'],
    ['tcp://example.com:80/path', 'must end after the port'],
    [{ url: 'tcp://example.com:80', ignoreTlsErrors: true }, '/ignoreTlsErrors', nothing('tcp')],
    [
      { url: 'tcp://example.com:80', assertions: [{ source: 'status', type: 'exists' }] },
      '/assertions/0/source',
      nothing('tcp'),
    ],
  ],
  dns: [
    ['example.com', 'must start with dns://'],
    ['dns://example.com ', blanksAround],
    ['dns://', 'must contain a name'],
    ['dns://localhost', 'must not name this machine itself'],
    ['dns://*.example.com', 'must be a single name: wildcards cannot be queried'],
    [`dns://${long}.com`, 'must be a name whose labels have at most 63 characters each'],
    ['dns://example.com:53', 'must not have a port after the name'],
    ['dns://192.0.2.1', 'names an address, which has no A record: use type=PTR'],
    [
      'dns://example.com?type=WKS',
      'must have a type of A, AAAA, CNAME, MX, NS, TXT, SOA, SRV, CAA, PTR',
    ],
    ['dns://example.com?type=A&type=MX', 'must have only one type'],
    [
      'dns://example.com?colour=red',
      'must have no query parameters other than type, server and dnssec',
    ],
    ['dns://example.com?server=', noServer],
    [{ url: 'dns://example.com', followRedirects: false }, '/followRedirects', nothing('dns')],
    [
      { url: 'dns://example.com', assertions: [{ source: 'ip', type: 'exists' }] },
      '/assertions/0/source',
      nothing('dns'),
    ],
  ],
  websocket: [
    ['http://example.com', 'must start with ws:// or wss://'],
    [' wss://example.com', blanksAround],
    ['wss://', 'must name a host'],
    ['ws://me:word@example.com', noPassword],
    ['ws://example.com:0', 'must not name port 0'],
    [
      { url: 'ws://example.com', headers: { 'Sec-WebSocket-Protocol': 'chat' } },
      '/headers/Sec-WebSocket-Protocol',
      'is a header that cannot be set',
    ],
    [{ url: 'ws://example.com', method: 'POST' }, '/method', nothing('websocket')],
  ],
  smtp: [
    ['mailto:me@example.com', 'must start with smtp:// or smtps://'],
    ['smtp://example.com/inbox', 'must not have a path'],
    ['smtp://example.com?starttls=no', 'must not have a query other than ?starttls=required'],
    [
      'smtps://example.com?starttls=required',
      'must not require STARTTLS on smtps://, where TLS starts with the first byte',
    ],
    ['smtp://me:word@example.com', noPassword],
    [{ url: 'smtp://example.com', body: 'HELP' }, '/body', nothing('smtp')],
  ],
  domain: [
    ['example.com', 'must start with domain://'],
    ['domain://com', 'must name a registered domain, such as domain://example.com'],
    [
      'domain://co.uk',
      'must name a domain below the public suffix co.uk, such as domain://example.co.uk',
    ],
    ['domain://192.0.2.1', 'must be a name, not an address'],
    ['domain://example.com/path', 'must not have a path'],
    ['domain://example.invalid', noRdap('invalid')],
    ['domain://example.de', noRdap('de')],
    [{ url: 'domain://example.com', ignoreTlsErrors: true }, '/ignoreTlsErrors', nothing('domain')],
  ],
}

interface Place {
  readonly daemon: Daemon
  readonly owner: OwnerWithKey
}

const create = ({ daemon, owner }: Place, checkType: string, fields: object) =>
  daemon.ask('POST', `/api/v1${owner.org}/monitors`, {
    key: owner.key,
    json: { name: 'Wrong', isActive: false, checkType, ...fields },
  })

async function settle(t: Test, env: Readonly<Record<string, string>> = {}): Promise<Place> {
  const daemon = await startDaemon(t, { env })
  return { daemon, owner: await registerWithKey(daemon) }
}

const open = await settle(t)

for (const [checkType, list] of Object.entries(mistakes)) {
  t.test(`${checkType}: each mistake is refused with a sentence about it`, async (t) => {
    for (const mistake of list) {
      const [fields, pointer, message] =
        mistake.length === 3 ? mistake : [{ url: mistake[0] }, '/url', mistake[1]]
      const what = JSON.stringify(fields).slice(0, 80)
      const answer = await create(open, checkType, fields)
      t.match(answer, { status: 422, json: { code: 'validation_failed' } }, what)
      const told = answer.json.errors.find((one: { pointer: string }) => one.pointer === pointer)
      t.equal(told?.message, message, `${what}: ${answer.text}`)
      t.notMatch(answer.text, /me:word/, 'what was sent is not sent back')
    }
  })
}

t.test('where targets must be public, no kind reaches internal or closed ones', async (t) => {
  const closed = await settle(t, { CHECKS_TARGETS: 'public' })
  const refused: readonly (readonly [checkType: string, url: string, where: string])[] = [
    ['endpoint', 'http://127.0.0.1/', 'a loopback address'],
    ['ssl', 'https://localhost', 'a loopback address'],
    ['ssl', 'tls://10.0.0.1:993', 'a private address'],
    ['ssl', 'tls://8.8.8.8:22', 'port 22'],
    ['ping', '[::ffff:127.0.0.1]', 'a loopback address'],
    ['ping', 'ping://8.8.8.8:22', 'port 22'],
    ['tcp', 'tcp://[::1]:80', 'a loopback address'],
    ['tcp', 'tcp://0x7f.1:80', 'a loopback address'],
    ['tcp', 'tcp://169.254.169.254:80', 'a cloud metadata address'],
    ['dns', 'dns://example.com?server=192.168.0.1', 'a private address'],
    ['dns', 'dns://example.com?server=8.8.8.8:25', 'port 25'],
    ['dns', 'dns://192.168.0.1?type=PTR', 'a private address'],
    ['websocket', 'ws://localhost/', 'a loopback address'],
    ['smtp', 'smtp://10.0.0.1', 'a private address'],
    ['smtp', 'smtp://8.8.8.8:22', 'port 22'],
    ['endpoint', 'http://example.com:6379/', 'port 6379'],
    ['tcp', 'tcp://example.com:25', 'port 25'],
    ['websocket', 'wss://example.com:22', 'port 22'],
    ['ping', 'example.com:22', 'port 22'],
    ['smtp', 'smtp://example.com:22', 'port 22'],
    ['dns', 'dns://example.com?server=ns.example.com:25', 'port 25'],
  ]
  for (const [checkType, url, where] of refused) {
    const answer = await create(closed, checkType, { url })
    t.match(answer, { status: 422, json: { code: 'target_not_allowed' } }, url)
    t.match(answer.json.errors, [
      { pointer: '/url', message: `leads to ${where}, which is not allowed` },
    ])
  }
  const taken: readonly (readonly [checkType: string, url: string])[] = [
    ['ssl', 'https://8.8.8.8'],
    ['ssl', 'tls://8.8.8.8:993'],
    ['smtp', 'smtp://8.8.8.8:587'],
    ['smtp', 'smtp://example.com:587'],
    ['tcp', 'tcp://example.com:8080'],
    ['ping', '8.8.8.8'],
    ['dns', 'dns://example.com?server=8.8.8.8'],
  ]
  for (const [checkType, url] of taken) {
    t.match(await create(closed, checkType, { url }), { status: 200 }, url)
  }
})

t.test('an address of one family is no target of the other', async (t) => {
  const urls: Readonly<Record<string, (host: string) => string>> = {
    endpoint: (host) => `http://${host}/`,
    health: (host) => `http://${host}/`,
    keyword: (host) => `https://${host}:8443/`,
    ssl: (host) => `https://${host}`,
    ping: (host) => `ping://${host}`,
    tcp: (host) => `tcp://${host}:9`,
    dns: (host) => `dns://example.com?server=${host}`,
    websocket: (host) => `ws://${host}/`,
    smtp: (host) => `smtp://${host}`,
  }
  const hosts = [
    ['127.0.0.1', 'ipv6', 'must not be ipv6 where the url names the IPv4 address 127.0.0.1'],
    ['[::1]', 'ipv4', 'must not be ipv4 where the url names the IPv6 address ::1'],
  ] as const
  for (const [checkType, urlOf] of Object.entries(urls)) {
    for (const [host, ipFamily, message] of hosts) {
      const more = checkType === 'keyword' ? { bodyContains: 'ok' } : {}
      const fields = { url: urlOf(host), ipFamily, ...more }
      const answer = await create(open, checkType, fields)
      t.match(answer, { status: 422, json: { code: 'validation_failed' } }, fields.url)
      t.match(answer.json.errors, [{ pointer: '/ipFamily', message }], answer.text)
      const own = ipFamily === 'ipv4' ? 'ipv6' : 'ipv4'
      t.match(await create(open, checkType, { ...fields, ipFamily: own }), { status: 200 })
    }
  }
})

t.test('a monitor cannot be changed into something its kind does not allow', async (t) => {
  const { daemon, owner } = open
  const { json } = await create(open, 'tcp', { url: 'tcp://127.0.0.1:9' })
  const path = `/api/v1${owner.org}/monitors/${json.data.id}`
  const change = (fields: object) => daemon.ask('PATCH', path, { key: owner.key, json: fields })
  const refusals: readonly (readonly [fields: object, pointer: string])[] = [
    [{ url: 'http://127.0.0.1/' }, '/url'],
    [{ url: null }, '/url'],
    [{ method: 'POST' }, '/method'],
    [{ checkType: 'smtp' }, '/checkType'],
  ]
  for (const [fields, pointer] of refusals) {
    t.match(await change(fields), { status: 422, json: { errors: [{ pointer }] } }, pointer)
  }
  t.match(await change({ url: 'tcp://127.0.0.1:10' }), { status: 200 })
})
