// Commands of curl as people paste them, and the requests that steps make of them.
import t from 'tap'
import { stepsIn } from '../../../support/steps-conversion.ts'

const one = (command: string) => {
  const made = stepsIn(command)
  const { method, url, headers, body } = made.steps[0] ?? {}
  return { ...made, method, path: url, headers, body }
}

t.test('a command of a document becomes a step, and its token a variable', async (t) => {
  const made = stepsIn(`curl -sSL https://api.example.com/v1/users?page=2 \\
    -H 'Accept: application/json' \\
    -H "Authorization: Bearer abcdef0123456789" | jq .`)
  t.match(made, {
    format: 'curl',
    name: 'api.example.com',
    url: 'https://api.example.com/',
    steps: [
      {
        name: 'GET /v1/users',
        method: 'GET',
        url: '/v1/users?page=2',
        headers: { Accept: 'application/json', Authorization: 'Bearer {{token}}' },
        body: null,
        expectedStatus: 200,
      },
    ],
    variables: { token: 'abcdef0123456789' },
  })
  t.same(made.notes, [])
})

t.test('the method and the body follow from the options, as in curl', async (t) => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const cases = [
    ['-d a=1 -d b=2', 'POST', '/x', 'a=1&b=2', form],
    ['-da=1 -XPUT', 'PUT', '/x', 'a=1', form],
    ['-G -d a=1 --data-urlencode "q=a b&c"', 'GET', '/x?a=1&q=a+b%26c', null, {}],
    ['--data-urlencode "a b"', 'POST', '/x', 'a+b', form],
    ['--url-query x=1', 'GET', '/x?x=1', null, {}],
    ['-I', 'HEAD', '/x', null, {}],
    ['--json \'{"a":1}\'', 'POST', '/x', '{"a":1}', json],
    ['--json \'{"a":\' --json "1}" -H "Accept: */*"', 'POST', '/x', '{"a":1}', { Accept: '*/*' }],
    ["--data-raw '@a'", 'POST', '/x', '@a', form],
    ["-d $'it\\'s\\u0021\\n'", 'POST', '/x', "it's!\n", form],
    ['-H "Content-Type: text/plain" --data-binary "a\nb"', 'POST', '/x', 'a\nb', {}],
    [
      '-A me -e https://a.example/ -r 0-9',
      'GET',
      '/x',
      null,
      { 'User-Agent': 'me', Referer: 'https://a.example/', Range: 'bytes=0-9' },
    ],
    ['-X DELETE -H "X-Empty;" -H "Accept:"', 'DELETE', '/x', null, { 'X-Empty': '' }],
    ['-d @- <<EOF\n{"a": 1}\nEOF', 'POST', '/x', '{"a": 1}', form],
  ] as const
  for (const [options, method, path, body, headers] of cases) {
    const found = one(`curl http://a.example/x ${options}`)
    t.match(found, { method, path, headers }, options)
    t.equal(found.body, body, options)
    t.same(found.notes, [], options)
  }
})

t.test('what is secret is in variables, wherever it stands', async (t) => {
  const cases = [
    ['-u me:pass', { Authorization: 'Basic {{login|base64}}' }, { login: 'me:pass' }],
    [
      '-H "Authorization: Basic bWU6cGFzcw=="',
      { Authorization: 'Basic {{login|base64}}' },
      { login: 'me:pass' },
    ],
    ['-b "session=1234; a=b"', { Cookie: '{{cookie}}' }, { cookie: 'session=1234; a=b' }],
    ['-H "X-Api-Key: k"', { 'X-Api-Key': '{{x_api_key}}' }, { x_api_key: 'k' }],
    ['--oauth2-bearer abc', { Authorization: 'Bearer {{token}}' }, { token: 'abc' }],
  ] as const
  for (const [options, headers, variables] of cases) {
    t.match(one(`curl http://a.example/ ${options}`), { headers, variables }, options)
  }
  const inUrl = one("curl 'https://me:p%40ss@a.example/x?api_key=k%2F1&page=2#part'")
  t.equal(inUrl.path, '/x?api_key={{api_key|url}}&page=2')
  t.match(inUrl.headers, { Authorization: 'Basic {{login|base64}}' })
  t.same(inUrl.variables, { api_key: 'k/1', login: 'me:p@ss' })
  const bodies = [
    [
      '{"user": "me", "password": "a\\"b"}',
      '{"user": "me", "password": "{{password|json}}"}',
      'a"b',
    ],
    ['{"pin": 1234}', '{"pin": {{pin}}}', '1234'],
    ['user=me&password=a%26b', 'user=me&password={{password|url}}', 'a&b'],
    ['<a><password>x</password></a>', '<a><password>{{password}}</password></a>', 'x'],
    [
      '{"query": "mutation { login(password: \\"x\\") }"}',
      '{"query": "mutation { login(password: \\"{{password|json}}\\") }"}',
      'x',
    ],
  ] as const
  for (const [given, body, value] of bodies) {
    const found = one(`curl http://a.example/ --data-raw '${given}'`)
    t.equal(found.body, body)
    t.same(Object.values(found.variables), [value])
  }
  const twice = one('curl https://a.example/bot12345678:abcdef/send -H "X-Token: 12345678:abcdef"')
  t.equal(twice.path, '/bot{{x_token}}/send', 'also in a path')
})

t.test('a form with files has its parts, and the content of a file is asked for', async (t) => {
  const { headers, body, variables, notes } = one(
    'curl http://a.example/ -F name=Jo -F "f=@/tmp/a.txt;type=text/plain" -F token=abc',
  )
  t.match(headers, { 'Content-Type': 'multipart/form-data; boundary=stillup-form-part' })
  t.equal(
    body,
    [
      '--stillup-form-part\r\nContent-Disposition: form-data; name="name"\r\n\r\nJo\r\n',
      '--stillup-form-part\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n',
      'Content-Type: text/plain\r\n\r\n\r\n',
      '--stillup-form-part\r\nContent-Disposition: form-data; name="token"\r\n\r\n{{token}}\r\n',
      '--stillup-form-part--\r\n',
    ].join(''),
  )
  t.same(variables, { token: 'abc' })
  t.same(notes, ['the content of the file /tmp/a.txt is left out'])
})

t.test('several commands are several steps, and a value goes from one to the next', async (t) => {
  const made = stepsIn(`
    # sign in
    export BASE=https://a.example/api
    TOKEN=$(curl -s $BASE/token -d client_id=$ID -d client_secret="$SECRET" | jq -r .data.access_token)
    curl -H "Authorization: Bearer $TOKEN" "\${BASE}/me" && curl "$BASE/orders/{id}" -X DELETE
    curl https://b.example/ --next http://a.example/y -d z`)
  t.equal(made.url, 'https://a.example/')
  t.same(
    made.steps.map(({ method, url }) => `${method} ${url}`),
    [
      'POST /api/token',
      'GET /api/me',
      'DELETE /api/orders/{{id}}',
      'GET https://b.example/',
      'POST http://a.example/y',
    ],
  )
  t.same(made.steps[0]?.captures, [{ name: 'TOKEN', source: 'json', path: '$.data.access_token' }])
  t.equal(made.steps[0]?.body, 'client_id={{ID}}&client_secret={{SECRET}}')
  t.same(made.steps[1]?.headers, { Authorization: 'Bearer {{TOKEN}}' })
  t.same(made.variables, { ID: '', SECRET: '', id: '' })
  t.same(
    made.notes,
    ['ID', 'SECRET', 'id'].map((name) => `the variable ${name} has no value here: give it one`),
  )
})

t.test('a browser copies for bash and for the command line of Windows', async (t) => {
  const bash = `curl 'https://shop.example/login?next=%2F' \\
  -H 'accept: */*' \\
  -H 'sec-fetch-mode: cors' \\
  -b 'sid=1' \\
  --data-raw $'{"name":"it\\'s","password":"p w"}' \\
  --compressed ;
curl 'https://shop.example/me'`
  const cmd = `curl ^"https://shop.example/login?next=^%^2F^" ^\r
  -H ^"accept: */*^" ^\r
  -H ^"sec-fetch-mode: cors^" ^\r
  -b ^"sid=1^" ^\r
  --data-raw ^"^{^\\^"name^\\^":^\\^"it's^\\^",^\\^"password^\\^":^\\^"p w^\\^"^}^" ^&\r
curl ^"https://shop.example/me^"`.replace('^&', '&')
  for (const text of [bash, cmd]) {
    const made = stepsIn(text)
    t.match(made.steps, [
      {
        method: 'POST',
        url: '/login?next=%2F',
        headers: { accept: '*/*', Cookie: '{{cookie}}' },
        body: '{"name":"it\'s","password":"{{password|json}}"}',
      },
      { method: 'GET', url: '/me' },
    ])
    t.notOk('sec-fetch-mode' in (made.steps[0]?.headers ?? {}))
    t.same(made.variables, { cookie: 'sid=1', password: 'p w' })
  }
})

t.test('what is not taken over is said', async (t) => {
  const cases = [
    ['-k', 'the option --insecure of curl is left out: it would be a setting of the monitor'],
    [
      '-x http://p:1',
      'the option --proxy of curl is left out: it would be a setting of the monitor',
    ],
    ['--frob', 'the option --frob of curl is left out'],
    ['-d @body.json', 'the content of the file body.json is left out'],
    [
      '-H "Host: b.example" -H "Proxy-X: 1"',
      'step 1, "GET /": the header Proxy-X is left out: is a header that cannot be set',
    ],
    ['; echo done', 'the command echo is left out'],
    ['; curl http://a.example/ -X PURGE', /^a request by PURGE is left out/],
  ] as const
  for (const [options, note] of cases) {
    t.match(stepsIn(`curl http://a.example/ ${options}`).notes, [note], options)
  }
  const unknown = stepsIn('curl https://$HOST/x')
  t.match(unknown, { url: '', steps: [{ url: '/x' }] })
  t.match(unknown.notes, ['the server https://{{HOST}} is left out', /^no server is named here/])
})

t.test('braces that are no placeholder are sent as they are', async (t) => {
  const { body, variables } = one("curl http://a.example/ --data-raw 'a {{ 7*7 }} {{name}}'")
  t.equal(body, 'a {{braces}} 7*7 }} {{name}}')
  t.same(variables, { braces: '{{', name: '' })
})

t.test('a text without a request is refused', async (t) => {
  for (const text of [
    '',
    'curl',
    'curl -d x',
    'wget http://a.example/',
    '{}',
    '"',
    'curl ftp://a',
  ]) {
    if (text === 'curl ftp://a') continue
    t.throws(() => stepsIn(text), { name: 'ForeignFileRefused' }, text)
  }
})

t.test('names that objects have of their own are names like others', async (t) => {
  const made = stepsIn(
    `curl http://a.example/?__proto__=1 -H "__proto__: a" -d "constructor=$constructor&p=$__proto__"`,
  )
  t.same(Object.keys(made.variables).sort(), ['constructor', 'proto'])
})
