// Descriptions of APIs as steps: the least request that each operation takes, and what its answer must be like.
import t from 'tap'
import { stringify } from 'yaml'
import { stepsIn } from '../../../support/steps-conversion.ts'

const pet = {
  type: 'object',
  required: ['id', 'name', 'secretNote'],
  properties: {
    id: { type: 'integer', format: 'int64', readOnly: true },
    name: { type: 'string', example: 'Rex' },
    owner: { $ref: '#/components/schemas/Owner' },
    tag: { type: 'string', nullable: true, pattern: '^(?=a)' },
    secretNote: { type: 'string', writeOnly: true },
  },
}

const pets = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{region}.pets.example/v1/', variables: { region: { default: 'eu' } } }],
  security: [{ key: [] }],
  paths: {
    '/pets': {
      parameters: [{ $ref: '#/components/parameters/Limit' }],
      get: {
        summary: 'List pets',
        parameters: [
          { name: 'tags', in: 'query', example: ['a b', 'c'], schema: { type: 'array' } },
          { name: 'after', in: 'query', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
              },
            },
          },
        },
      },
      post: {
        operationId: 'createPet',
        security: [{ login: [] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: { 201: { description: 'made' }, default: { description: 'else' } },
      },
    },
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
      delete: {
        security: [],
        parameters: [
          { name: 'X-Reason', in: 'header', required: true, schema: { enum: ['sold'] } },
        ],
        responses: { '2XX': { description: 'gone' } },
      },
    },
    '/form': {
      post: {
        security: [{ token: ['read'] }],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                required: ['user', 'password', 'at'],
                properties: {
                  user: { type: 'string', default: 'me & {{you}}' },
                  password: { type: 'string' },
                  at: { type: 'string', format: 'date-time' },
                },
              },
            },
          },
        },
        responses: { 204: { description: 'done' } },
      },
    },
  },
  components: {
    parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', default: 10 } } },
    schemas: {
      Pet: pet,
      Owner: {
        type: 'object',
        required: ['pets'],
        properties: { pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
      },
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      login: { type: 'http', scheme: 'basic' },
      token: { type: 'oauth2', flows: {} },
    },
  },
}

t.test('each operation becomes a step with what it requires', async (t) => {
  const made = stepsIn(JSON.stringify(pets))
  t.match(made, { format: 'openapi', name: 'Pets', url: 'https://eu.pets.example/v1/' })
  t.match(made.steps, [
    {
      name: 'List pets',
      method: 'GET',
      url: '/v1/pets?limit=10&tags=a%20b&tags=c',
      headers: { Accept: 'application/json', 'X-Api-Key': '{{X_Api_Key}}' },
      body: null,
      expectedStatus: 200,
      assertions: [{ source: 'json', type: 'jsonSchema' }],
    },
    {
      name: 'createPet',
      method: 'POST',
      url: '/v1/pets?limit=10',
      headers: { Authorization: 'Basic {{login|base64}}', 'Content-Type': 'application/json' },
      expectedStatus: 201,
      assertions: [],
    },
    {
      name: 'DELETE /pets/{petId}',
      url: '/v1/pets/{{petId|url}}',
      headers: { 'X-Reason': 'sold' },
      acceptedStatuses: ['200-299'],
    },
    {
      url: '/v1/form',
      headers: { Authorization: 'Bearer {{token}}' },
      body: 'user=me%20%26%20{{braces|url}}you%7D%7D&password={{password|url}}&at={{$isoTimestamp}}',
      expectedStatus: 204,
    },
  ])
  t.same(JSON.parse(made.steps[1]?.body ?? ''), { name: 'Rex', secretNote: '{{secretNote|json}}' })
  const owner = {
    type: 'object',
    required: ['pets'],
    properties: { pets: { type: 'array', items: { $ref: '#/$defs/Pet' } } },
  }
  t.same(JSON.parse(made.steps[0]?.assertions[0]?.value ?? ''), {
    type: 'array',
    items: { $ref: '#/$defs/Pet' },
    $defs: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          owner: { $ref: '#/$defs/Owner' },
          tag: { type: ['string', 'null'] },
          secretNote: { type: 'string' },
        },
      },
      Owner: owner,
    },
  })
  t.same(Object.keys(made.variables).sort(), [
    'X_Api_Key',
    'braces',
    'login',
    'password',
    'petId',
    'secretNote',
    'token',
  ])
})

t.test('YAML says the same as JSON', async (t) => {
  const [json, yaml] = [stepsIn(JSON.stringify(pets)), stepsIn(stringify(pets))]
  t.same(yaml, json)
})

t.test('Swagger 2.0 has its own places for the same', async (t) => {
  const made = stepsIn(
    JSON.stringify({
      swagger: '2.0',
      info: { title: 'Old' },
      host: 'old.example',
      basePath: '/api',
      schemes: ['http', 'https'],
      produces: ['application/json'],
      securityDefinitions: { key: { type: 'apiKey', in: 'query', name: 'api_key' } },
      definitions: {
        A: {
          type: 'object',
          required: ['n'],
          properties: { n: { type: 'integer', minimum: 5, exclusiveMinimum: true } },
        },
      },
      paths: {
        '/a': {
          put: {
            security: [{ key: [] }],
            parameters: [{ in: 'body', name: 'body', schema: { $ref: '#/definitions/A' } }],
            responses: { 200: { schema: { $ref: '#/definitions/A' } } },
          },
          post: {
            consumes: ['multipart/form-data'],
            parameters: [{ in: 'formData', name: 'a', type: 'string', required: true }],
            responses: { 200: { description: 'ok' } },
          },
        },
      },
    }),
  )
  t.match(made, {
    url: 'https://old.example/api/',
    steps: [
      { url: '/api/a?api_key={{api_key|url}}', body: /"n": 5/ },
      { headers: { 'Content-Type': /^multipart/ } },
    ],
  })
  t.same(JSON.parse(made.steps[0]?.assertions[0]?.value ?? ''), {
    $ref: '#/$defs/A',
    $defs: {
      A: {
        type: 'object',
        required: ['n'],
        properties: { n: { type: 'integer', exclusiveMinimum: 5 } },
      },
    },
  })
})

t.test(
  'of many operations, those that change nothing come first, and the others are named',
  async (t) => {
    const paths = Object.fromEntries(
      Array.from({ length: 15 }, (_, at) => [
        `/p${at}`,
        { post: { responses: { 200: {} } }, get: { responses: { 200: {} } } },
      ]),
    )
    const made = stepsIn(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Many' },
        servers: [{ url: '/v2' }],
        paths,
      }),
    )
    t.equal(made.steps.length, 20)
    t.equal(made.steps.filter(({ method }) => method === 'GET').length, 15)
    t.match(made, { url: '', steps: [{ url: '/v2/p0' }] })
    t.match(made.notes[0], /^operations that are left out because .*: POST \/p5, POST \/p6/)
  },
)

t.test('large and endless schemas are left out, or end', async (t) => {
  const wide = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [`field${at}`, { type: 'string' }]),
  )
  const endless = {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/E' } },
  }
  const operation = (schema: object) => ({
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { content: { 'application/json': { schema } } } },
  })
  const made = stepsIn(
    JSON.stringify({
      openapi: '3.1.0',
      info: {},
      servers: [{ url: 'https://a.example' }],
      paths: {
        '/wide': { post: operation({ type: 'object', properties: wide }) },
        '/endless': { post: operation({ $ref: '#/components/schemas/E' }) },
        '/circle': { post: operation({ $ref: '#/components/schemas/C' }) },
        '/far': { get: operation({ $ref: 'other.yaml#/A' }) },
      },
      components: { schemas: { E: endless, C: { $ref: '#/components/schemas/C' } } },
    }),
  )
  t.equal(made.steps.length, 4)
  t.match(made.notes, [
    'the schema of the answer to "POST /wide" is left out: must be at most 16384 characters',
    /^the schema of the answer to "POST \/circle" is left out: /,
    'the reference other.yaml#/A is left out: it leads out of the document',
  ])
  t.throws(() => stepsIn('{"openapi": "4.0.0"}'), /no description of OpenAPI 3 or Swagger 2/)
  t.throws(() => stepsIn(`openapi: 3.0.0\n${'#'.repeat(200_000)}`), /characters of YAML/)
})
