// What forms say of a value that a rule of the API refuses.

import { Validator } from '@cfworker/json-schema'
import t from 'tap'
import { apiRoutes } from '../../src/http/api/api.ts'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'
import { de, en } from '../support/console-words.ts'

type Texts = typeof en.form
interface RuleText {
  readonly message: string
  readonly lang?: 'en'
}

// The console is compiled with the types of a browser, which these types have not.
const module = new URL('../../src/console/parts/form/rule-words.ts', import.meta.url).href
const { brokenIn, isContainer, ruleText } = (await import(module)) as {
  ruleText(keyword: string, node: object, texts: Texts): RuleText | undefined
  isContainer(keyword: string): boolean
  brokenIn(schema: object, value: unknown, errors: object[], texts: Texts): object[]
}

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** They describe, and refuse nothing. */
const annotations = ['title', 'description', 'default', 'examples', 'discriminator', '$defs']

/** Calls `see` with every schema of all bodies, and with the rule in words around alternatives. */
function walkBodies(see: (node: Schema, place: string) => void): void {
  const document = openApiDocument(apiRoutes, { baseUrl: '', version: '' }) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>
    readonly components: { readonly schemas: Schema }
  }
  const seen = new Set<unknown>()
  const walk = (node: unknown, place: string, around?: unknown): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, place, around)
    else if (isSchema(node) && !seen.has(node)) {
      seen.add(node)
      const rule = node['x-rule'] ?? around
      see(rule === undefined ? node : { ...node, 'x-rule': rule }, place)
      const name = typeof node.$ref === 'string' ? node.$ref.replace(/^.*\//, '') : undefined
      if (name !== undefined) walk(document.components.schemas[name], name)
      for (const key of ['properties', 'patternProperties']) {
        const fields = isSchema(node[key]) ? node[key] : {}
        for (const [field, schema] of Object.entries(fields)) walk(schema, `${place}/${field}`)
      }
      for (const key of ['items', 'propertyNames', 'additionalProperties', 'not', 'allOf']) {
        walk(node[key], `${place} ${key}`)
      }
      for (const key of ['anyOf', 'oneOf']) walk(node[key], place, rule)
    }
  }
  for (const methods of Object.values(document.paths)) {
    for (const { operationId, requestBody } of Object.values(methods)) {
      const { content } = (requestBody ?? {}) as { content?: Record<string, { schema?: object }> }
      walk(content?.['application/json']?.schema, String(operationId))
    }
  }
}

t.test('every rule of every body has a sentence, in each language', async (t) => {
  const keywords = new Set<string>()
  const missing = new Set<string>()
  walkBodies((node, place) => {
    for (const keyword of Object.keys(node)) {
      if (annotations.includes(keyword) || keyword.startsWith('x-') || isContainer(keyword))
        continue
      keywords.add(keyword)
      const english = ruleText(keyword, node, en.form)
      const german = ruleText(keyword, node, de.form)
      if (!english || !german) missing.add(`${place}: ${keyword}`)
      // The forms of texts are said in English by the API: the other catalogues know each.
      else if (german.lang === 'en') missing.add(`${place}: ${keyword}: ${german.message}`)
      else if (/undefined/.test(english.message + german.message))
        missing.add(`${place}: ${keyword}?`)
    }
  })
  t.same([...missing], [])
  t.ok(keywords.has('pattern') && keywords.has('uniqueItems') && keywords.has('maximum'))
})

t.test('a sentence names the rule that says most, and its limit', async (t) => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: {
      retries: { anyOf: [{ type: 'integer', minimum: 1, maximum: 5 }, { type: 'null' }] },
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 3,
        pattern: '\\S',
        'x-rule': 'must not be blank',
      },
      runbook: {
        anyOf: [
          { type: 'string', pattern: '^https?:', 'x-rule': 'must be an http or https URL' },
          { type: 'null' },
        ],
      },
      to: { type: 'array', minItems: 2, maxItems: 2, uniqueItems: true, items: { type: 'string' } },
      method: { type: 'string', enum: ['GET', 'POST', ''] },
      headers: {
        type: 'object',
        propertyNames: { maxLength: 4 },
        patternProperties: { '^.*$': { type: 'string', maxLength: 2 } },
      },
      found: { anyOf: [{ type: 'boolean' }, { type: 'array' }, { type: 'null' }] },
      odd: { type: 'integer', multipleOf: 2 },
    },
  }
  const said = (value: object, { form } = en) =>
    brokenIn(
      schema,
      value,
      new Validator(schema as object, '2020-12', false).validate(value).errors,
      form,
    )
  const cases: [object, object][] = [
    [{ retries: 6 }, { pointer: '/retries', message: 'At most 5' }],
    [{ retries: 1.5 }, { pointer: '/retries', message: 'A whole number' }],
    [{ retries: 'x' }, { pointer: '/retries', message: 'Type a number' }],
    [{ name: '' }, { pointer: '/name', message: 'Fill this in' }],
    [{ name: '    ' }, { pointer: '/name', message: 'At most 3 characters' }],
    [{ name: ' ' }, { pointer: '/name', message: 'must not be blank', lang: 'en' }],
    [
      { runbook: 'x' },
      { pointer: '/runbook', message: 'must be an http or https URL', lang: 'en' },
    ],
    [{ to: [] }, { pointer: '/to', message: 'Fill this in' }],
    [{ to: ['a'] }, { pointer: '/to', message: 'At least 2 entries' }],
    [{ to: ['a', 'a'] }, { pointer: '/to', message: 'Each entry only once' }],
    [{ method: 'PUT' }, { pointer: '/method', message: 'One of GET, POST' }],
    [
      { headers: { Accept: '' } },
      { pointer: '/headers/Accept', message: 'The name: At most 4 characters' },
    ],
    [{ headers: { A: '123' } }, { pointer: '/headers/A', message: 'At most 2 characters' }],
    [{ found: 5 }, { pointer: '/found', message: 'Yes or no, A list' }],
    [{ other: 1 }, { pointer: '/other', message: 'This field does not exist here' }],
  ]
  for (const [value, problem] of cases) t.same(said(value), [problem], JSON.stringify(value))
  t.match(said({ odd: 3 }), [{ pointer: '/odd', lang: 'en' }], 'a rule that the API does not use')
  t.same(said({ runbook: 'x' }, de), [
    { pointer: '/runbook', message: 'Eine Adresse mit http:// oder https://' },
  ])
  t.same(said({ retries: 6 }, de), [{ pointer: '/retries', message: 'Höchstens 5' }])
})
