// What a module of the blackbox exporter expects, a monitor expects; each field that it documents is counted.
import t from 'tap'
import { moduleTarget } from '../../../../src/domain/imports/blackbox/module.ts'

function made(module: object, target = 'https://x.example/', hostname = '') {
  const notes: string[] = []
  const monitor = moduleTarget({ ...module }, { target, hostname }, (text) => notes.push(text))
  return { monitor, notes: notes.join('\n') }
}

const web = (http: object, target?: string, hostname?: string) =>
  made({ prober: 'http', http }, target, hostname)

t.test('every field of an HTTP probe does something', async (t) => {
  const changed: Readonly<Record<string, readonly [unknown, object | RegExp]>> = {
    valid_status_codes: [[201, 404], { expectedStatus: 201, acceptedStatuses: ['201', '404'] }],
    valid_http_versions: [['HTTP/2.0'], /its http\.valid_http_versions/],
    method: ['post', { method: 'POST' }],
    headers: [{ 'X-A': 'b' }, { headers: { 'X-A': 'b' } }],
    http_headers: [{ A: { values: ['x'], secrets: ['y'] } }, { headers: { A: 'y' } }],
    body_size_limit: ['10MB', /body_size_limit/],
    compression: ['gzip', /compression/],
    follow_redirects: [false, { followRedirects: false }],
    no_follow_redirects: [true, { followRedirects: false }],
    fail_if_ssl: [true, { assertions: [{ source: 'tlsVersion', type: 'notExists' }] }],
    fail_if_not_ssl: [true, { assertions: [{ source: 'tlsVersion', type: 'exists' }] }],
    fail_if_body_json_matches_cel: ['body.a', /fail_if_body_json_matches_cel/],
    fail_if_body_json_not_matches_cel: ['body.a', /fail_if_body_json_not_matches_cel/],
    fail_if_body_matches_regexp: [
      ['Not connected\\.'],
      { assertions: [{ type: 'notContains', value: 'Not connected.' }] },
    ],
    fail_if_body_not_matches_regexp: [['a.*b'], { assertions: [{ type: 'regex', value: 'a.*b' }] }],
    fail_if_header_matches: [
      [{ header: 'Set-Cookie', regexp: '.*', allow_missing: true }],
      { assertions: [{ source: 'header', path: 'Set-Cookie', type: 'notExists' }] },
    ],
    fail_if_header_not_matches: [
      [{ header: 'A', regexp: 'x|y' }],
      { assertions: [{ source: 'header', path: 'A', type: 'regex', value: 'x|y' }] },
    ],
    tls_config: [{ insecure_skip_verify: true, ca_file: 'x' }, { ignoreTlsErrors: true }],
    basic_auth: [
      { username: 'ann', password: 'p' },
      { username: 'ann', password: 'p' },
    ],
    authorization: [{ credentials: 't' }, { headers: { authorization: 'Bearer t' } }],
    proxy_url: ['http://p', { isActive: false }],
    no_proxy: ['x', /no_proxy/],
    proxy_from_environment: [true, { isActive: false }],
    proxy_connect_header: [{ A: ['b'] }, /proxy_connect_header/],
    skip_resolve_phase_with_proxy: [true, /skip_resolve_phase_with_proxy/],
    oauth2: [
      {
        ...{ client_id: 'c', client_secret: 's', token_url: 'https://t', scopes: ['a', 'b'] },
        endpoint_params: { grant_type: 'client_credentials', audience: 'z', other: '1' },
      },
      {
        username: 'c',
        password: 's',
        auth: { type: 'oauth2', tokenUrl: 'https://t', scope: 'a b', audience: 'z' },
      },
    ],
    enable_http3: [true, /enable_http3/],
    preferred_ip_protocol: ['ip6', { url: 'https://x.example/' }],
    ip_protocol_fallback: [false, { ipFamily: 'ipv6' }],
    body: ['x', { body: 'x' }],
    body_file: ['x', { isActive: false }],
  }
  for (const [field, [value, seen]] of Object.entries(changed)) {
    const { monitor, notes } = web({ [field]: value })
    if (seen instanceof RegExp) t.match(notes, seen, field)
    else t.match(monitor, seen, field)
  }
  t.same(web({ enable_http2: true }), web({}), 'it is what a check may use, too')
})

t.test('what cannot be said is named, and never with a secret', async (t) => {
  const { notes } = web({
    ...{ fail_if_body_matches_regexp: ['a.*b'], authorization: { credentials: 'the-secret' } },
    ...{ basic_auth: { password: 'other-secret', password_file: '/p' } },
    http_headers: { K: { files: ['/k'] }, L: { secrets: ['last-secret'] } },
    tls_config: { cert_file: '/c', key_file: '/k', server_name: 'y', max_version: 'TLS12' },
    oauth2: { token_url: 'https://t', endpoint_params: { other: 'word-secret' } },
  })
  t.match(notes, /basic_auth\.password_file: enter what is in it; the monitor is paused/)
  t.match(notes, /its tls_config\.cert_file, key_file: paste what is in it/)
  t.match(notes, /its headers K, which are in files/)
  t.match(notes, /that its body must not match a\.\*b/)
  t.match(notes, /what it sends for a token besides: other/)
  t.notMatch(notes, /-secret/)
})

t.test('a name of its own is asked for at the address of the target', async (t) => {
  t.match(web({ headers: { Host: 'v.example' } }, 'http://192.0.2.1:81/a').monitor, {
    url: 'http://v.example:81/a',
    connectTo: '192.0.2.1:81',
  })
  t.match(web({}, '192.0.2.1', 'v.example').monitor, {
    url: 'http://v.example/',
    connectTo: '192.0.2.1',
  })
})

t.test('ports, names and machines have their kinds', async (t) => {
  const tcp = (about: object) => made({ prober: 'tcp', tcp: about }, 'mx.example:25')
  t.match(tcp({}).monitor, { checkType: 'tcp', url: 'tcp://mx.example:25' })
  t.match(tcp({ tls: true, tls_config: { min_version: 'TLS12' } }).monitor, {
    checkType: 'ssl',
    url: 'https://mx.example:25',
    assertions: [{ source: 'tlsVersion', type: 'greaterOrEqual', value: 'TLSv1.2' }],
  })
  const talk = [{ expect: '^220' }, { send: 'EHLO x\r' }, { expect: '250' }]
  t.match(tcp({ query_response: talk }).monitor, {
    body: 'EHLO x\\r\\n',
    assertions: [
      { type: 'regex', value: '^220' },
      { type: 'regex', value: '250' },
    ],
  })
  t.match(tcp({ query_response: [...talk, { starttls: true }] }).monitor, {
    checkType: 'smtp',
    url: 'smtp://mx.example:25?starttls=required',
  })
  const echo = tcp({ query_response: [{ expect: 'PING (.*)', send: 'PONG ${1}' }] })
  t.match(echo.monitor, { isActive: false })
  t.match(echo.notes, /its talk is more than here: "PONG \$\{1\}"/)
  t.match(made({ prober: 'icmp', icmp: { ttl: 3 } }, '192.0.2.1'), {
    monitor: { checkType: 'ping', url: 'ping://192.0.2.1' },
    notes: /its icmp\.ttl/,
  })
  t.match(made({ prober: 'grpc', grpc: { service: 'a b', tls: true } }, 'g.example:443').monitor, {
    url: 'grpcs://g.example:443?service=a%20b',
  })
  t.match(
    made(
      {
        prober: 'websocket',
        websocket: {
          http_config: { authorization: { credentials: 't' } },
          headers: { A: 'b' },
          query_response: [{ send: 'hello' }, { expect: '^hi' }],
        },
      },
      'w.example/ws',
    ).monitor,
    {
      url: 'ws://w.example/ws',
      headers: { A: 'b', authorization: 'Bearer t' },
      body: 'hello',
      assertions: [{ value: '^hi' }],
    },
  )
  const unix = made({ prober: 'unix' }, '/run/x')
  t.equal(unix.monitor, undefined)
  t.match(unix.notes, /its prober "unix" has no equivalent/)
})

t.test('every field of a DNS probe does something', async (t) => {
  const changed: Readonly<Record<string, readonly [unknown, object | RegExp]>> = {
    query_name: ['b.example.', { url: 'dns://b.example?type=MX&server=192.0.2.53' }],
    query_type: ['ANY', { url: /type=A/ }],
    query_class: ['CH', /its dns\.query_class/],
    source_ip_address: ['192.0.2.9', /source_ip_address/],
    dns_over_tls: [true, /dns_over_tls/],
    transport_protocol: ['tcp', /by TCP/],
    recursion_desired: [false, /without recursion/],
    valid_rcodes: [['NXDOMAIN'], { isUpsideDown: true }],
    validate_answer_rrs: [
      {
        fail_if_none_matches_regexp: ['.*192\\.0\\.2\\.7'],
        fail_if_matches_regexp: ['127.0.0.1'],
      },
      {
        assertions: [
          { type: 'regex', value: '192\\.0\\.2\\.7' },
          { type: 'notContains', value: '127.0.0.1' },
        ],
      },
    ],
    validate_authority_rrs: [{ fail_if_matches_regexp: ['x'] }, /validate_authority_rrs/],
    validate_additional_rrs: [{ fail_if_matches_regexp: ['x'] }, /validate_additional_rrs/],
  }
  for (const [field, [value, seen]] of Object.entries(changed)) {
    const dns = { query_name: 'a.example', query_type: 'MX', [field]: value }
    const { monitor, notes } = made({ prober: 'dns', dns }, '192.0.2.53:53')
    if (seen instanceof RegExp) t.match(notes, seen, field)
    else t.match(monitor, seen, field)
  }
})
