// Pasted texts under fire: whatever is in them, they become steps that a monitor may have, or are refused in a sentence.
import t from 'tap'
import { ForeignFileRefused } from '../../../../src/domain/imports/foreign.ts'
import { convertToSteps } from '../../../../src/domain/steps/convert/convert-to-steps.ts'
import { amount, patient } from '../../../support/depth.ts'
import { createDice, createStopwatch, mutated } from '../../../support/fuzz.ts'
import { problemsOf } from '../../../support/steps-conversion.ts'

const curl = `export A=b; TOKEN=$(curl -s "https://a.example/token?key=12345678" -d id=$ID | jq -r '.a.b[0]')
curl -X POST 'https://me:pw@a.example/x/{id}?api_key=1#f' -H "Authorization: Bearer $TOKEN" -H 'X-A;' \\
  --data-raw $'{"password": "it\\'s", "n": {{n}}}' -b 'sid=1' -u "u:\${P:-x}" --compressed | jq .
curl --json @- https://b.example --next -F 'a=@f;type=text/plain' -F token=b -G c.example <<EOF
{"a": "$A"}
EOF`
const cmd = String.raw`curl ^"https://a.example/a?b=^%^20^" ^
  -H ^"Cookie: a=b^" --data-raw ^"^{^\^"password^\^":1^}^"`
const har = JSON.stringify({
  log: {
    entries: [
      {
        _resourceType: 'xhr',
        request: {
          method: 'POST',
          url: 'https://a.example/in?x=1',
          headers: [{ name: 'Cookie', value: 'a=b' }],
          postData: { mimeType: 'application/json', text: '{"password": "p"}' },
        },
        response: {
          status: 200,
          headers: [{ name: 'Set-Cookie', value: 'sid=abcdef123456' }],
          content: {
            mimeType: 'application/json',
            text: '{"a b": ["token-12345678"], "__proto__": 1}',
          },
        },
      },
      {
        request: {
          method: 'GET',
          url: 'https://a.example/token-12345678?y=token-12345678',
          headers: [{ name: 'X-Token', value: 'abcdef123456' }],
        },
        response: { status: 302, redirectURL: '/z', content: { mimeType: 'text/html' } },
      },
    ],
  },
})
const postman = JSON.stringify({
  info: { name: 'A' },
  variable: [{ key: 'base url', value: 'https://a.example' }],
  auth: { type: 'basic', basic: { username: '{{u}}', password: 'p' } },
  item: [
    {
      name: 'One',
      event: [
        {
          listen: 'test',
          script: {
            exec: [
              'pm.response.to.have.status(201)',
              'pm.environment.set("t", pm.response.json().a)',
            ],
          },
        },
      ],
      request: {
        method: 'PUT',
        url: { raw: '{{base url}}/:id?a={{$guid}}', variable: [{ key: 'id', value: '1' }] },
        body: {
          mode: 'graphql',
          graphql: { query: 'q { a(password: "x") }', variables: '{"a": 1}' },
        },
      },
    },
  ],
})
const openapi = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'A' },
  servers: [{ url: 'https://a.example/v1' }],
  paths: {
    '/a/{id}': {
      post: {
        security: [{ k: [] }],
        parameters: [{ name: 'id', in: 'path', required: true }],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
        },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      A: {
        type: 'object',
        required: ['a', 'b'],
        nullable: true,
        properties: { a: { $ref: '#/components/schemas/A' }, b: { type: 'string', pattern: 'a+' } },
      },
    },
    securitySchemes: { k: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
})
const samples = [
  curl,
  cmd,
  har,
  postman,
  openapi,
  'openapi: 3.0.0\npaths: {/a: {get: {responses: {200: {}}}}}',
]

const pieces = [
  ...[
    "'",
    '"',
    '\\',
    '$(',
    ')',
    '`',
    '${',
    '}',
    '{{',
    '}}',
    '{{a}}',
    '|',
    '&',
    ';',
    '<<EOF',
    '\n',
    '\t',
    '\r',
    '^',
  ],
  ...[
    '--next',
    ' -X ',
    ' -H ',
    ' -d ',
    ' -F ',
    ' -u ',
    '@',
    ':',
    '=',
    '%',
    '%2',
    '#',
    '?',
    '//',
    '..',
    '[',
    ']',
  ],
  ...[
    '__proto__',
    'constructor',
    'null',
    '[]',
    '{}',
    '1e999',
    '-1',
    'true',
    '\u0000',
    '😀',
    '\ud800',
    'ü',
    '#/',
  ],
  ...[
    'https://',
    'ftp://',
    'Authorization',
    'password',
    'token-12345678',
    '\u2028',
    ' '.repeat(200),
    'x'.repeat(3_000),
  ],
]

t.test(
  'a text with random changes becomes steps that a monitor may have, or is refused',
  async (t) => {
    const dice = createDice()
    const watch = createStopwatch(patient(250))
    let made = 0
    for (let left = amount(1_000, 100_000); left > 0; left -= 1) {
      const bent = mutated(dice, dice.pick(samples), pieces)
      watch.time(bent.slice(0, 300), () => {
        try {
          const steps = convertToSteps(bent)
          const problems = problemsOf(steps)
          if (problems.length > 0) t.same(problems, [], JSON.stringify(bent))
          made += 1
        } catch (cause) {
          if (cause instanceof ForeignFileRefused) return
          throw new Error(`on ${JSON.stringify(bent)}`, { cause })
        }
      })
    }
    t.ok(made > 100, `${made} of them become steps`)
    t.same(watch.slow().slice(0, 5), [])
    t.comment(watch.summary())
  },
)
