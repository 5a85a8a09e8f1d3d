// Every time, month and date that a caller can send: far ones are answered or refused, quickly.
import t from 'tap'
import { apiRoutes } from '../../../src/http/api/api.ts'
import { monthIn, timeIn, timeYears } from '../../../src/http/input/times.ts'
import type { Answer } from '../../support/api-client.ts'
import { openMatrixWorld } from '../../support/matrix-world.ts'
import { routeTable } from '../../support/route-table.ts'
import { leastOfRounds, timed } from '../../support/starvation.ts'

t.test('times and months are of the years that the limits name', async (t) => {
  const { first, last } = timeYears
  const takes = (schema: Schema, text: string) => new RegExp(schema.pattern ?? '').test(text)
  for (const [year, isTaken] of [
    ...[first - 1, last + 1].map((one) => [one, false] as const),
    ...[first, first + 29, first + 30, first + 130, last].map((one) => [one, true] as const),
  ]) {
    t.equal(takes(timeIn as Schema, `${year}-12-31T23:59:59Z`), isTaken, `${year}`)
    t.equal(takes(monthIn('') as Schema, `${year}-12`), isTaken, `${year}-12`)
  }
})

/** As far as this test reads the OpenAPI document. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { name: string; in: string; schema: Schema }[]
  readonly requestBody?: { content: Readonly<Record<string, { schema: Schema; example?: object }>> }
}

const world = await openMatrixWorld(t)
const { daemon, own } = world
const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
} = (await daemon.ask('GET', '/api/v1/openapi.json')).json

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

type Kind = 'time' | 'month' | 'date'

function kindOf({ format, pattern }: Schema): Kind | undefined {
  if (format === 'date-time') return 'time'
  const takes = (text: string) => pattern !== undefined && new RegExp(pattern).test(text)
  if (takes('xxxxxxxxxx')) return undefined
  if (format === 'date' || takes('2026-10-01')) return 'date'
  return takes('2026-10') ? 'month' : undefined
}

interface TimeField {
  readonly kind: Kind
  /** Names, and 0 for an item of a list. */
  readonly place: readonly (string | number)[]
}

function fieldsIn(schema: Schema, place: TimeField['place'] = []): TimeField[] {
  const { properties = {}, items, anyOf = [], ...plain } = resolved(schema)
  const kind = kindOf(plain)
  return [
    ...(kind === undefined ? [] : [{ kind, place }]),
    ...Object.entries(properties).flatMap(([name, one]) => fieldsIn(one, [...place, name])),
    ...(items ? fieldsIn(items, [...place, 0]) : []),
    ...anyOf.flatMap((one) => fieldsIn(one, place)),
  ]
}

const operations = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, parameters = [], requestBody }) => {
    const query = parameters.filter((one) => one.in === 'query')
    const inQuery = query.flatMap(({ name, schema }) => fieldsIn(schema, [name]))
    const { schema = {}, example = {} } = requestBody?.content['application/json'] ?? {}
    const inBody = fieldsIn(schema)
    const isAsked = inQuery.length + inBody.length > 0
    return isAsked ? [{ operationId, inQuery, inBody, example }] : []
  })

const dayMs = 86_400_000
const iso = (atMs: number) => new Date(atMs).toISOString()
const inYears = (years: number) => iso(Date.now() + years * 365.25 * dayMs)
const times = [
  ...[iso(0), inYears(-100), inYears(-1), inYears(1), inYears(100)],
  ...['0001-01-01T00:00:00Z', '2199-12-31T23:59:59.999Z', '9999-12-31T23:59:59Z'],
  ...['1970-01-01T00:00:00+14:00', '2026-12-31T23:59:60Z', '2026-12-31T24:00:00Z'],
]

function textsOf(kind: Kind): readonly string[] {
  if (kind === 'time') return times
  const length = kind === 'date' ? '2026-10-01'.length : '2026-10'.length
  return [...new Set(times.map((one) => one.slice(0, length)))]
}

function placed(value: unknown, [name, ...rest]: TimeField['place'], text: string): unknown {
  if (name === undefined) return text
  if (name === 0) return [placed(Array.isArray(value) ? value[0] : undefined, rest, text)]
  const fields = (value ?? {}) as Record<string, unknown>
  return { ...fields, [name]: placed(fields[name], rest, text) }
}

/** Windows whose occurrences nobody may walk through from today on. */
for (const minute of [5, 25, 45]) {
  const json = { name: `${minute}`, cron: `${minute} * * * *`, durationMinutes: 5 }
  await daemon.need('POST', `${own.org}/maintenance-windows`, { cookie: own.cookie, json })
}
const recurring = await daemon.need('GET', `${own.org}/maintenance-windows`, { cookie: own.cookie })

t.ok(operations.length > 10, `${operations.length} operations take a time`)

const quickMs = 100
let n = 0

for (const { operationId, inQuery, inBody, example } of operations) {
  const route = apiRoutes.find(({ name }) => name === operationId)
  const line = routeTable[operationId]
  t.test(`a far time is answered or refused at once: ${operationId}`, async (t) => {
    if (!route || !line) return t.fail('it has a route')
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const made = await world.make(
      own,
      names.filter((name) => name !== 'orgId'),
    )
    const isRecurring = operationId === 'maintenance-windows.cancel'
    const things = isRecurring ? { ...made, maintenanceId: recurring[0].id } : made
    const values: Readonly<Record<string, string>> = { ...things, orgId: own.orgId }
    const path = route.path.replace(/:(\w+)/g, (_whole, name: string) => values[name] ?? name)
    const credential =
      line.who === 'a person by header'
        ? { headers: { 'auth-token': own.cookie } }
        : line.who === 'the operator'
          ? world.bearers.find(({ kind }) => kind === 'system')?.credential
          : { cookie: own.cookie }

    async function ask(field: TimeField, text: string): Promise<Answer> {
      n += 1
      const { headers, ...rest } = { headers: {}, ...credential }
      const isQuery = inQuery.includes(field)
      const query = isQuery ? `?${field.place[0]}=${encodeURIComponent(text)}` : ''
      const base = { ...example, ...line?.body?.({ n, memberId: world.memberId }) }
      const json = isQuery ? base : (placed(base, field.place, text) as object)
      const asked = { ...headers, 'idempotency-key': `times-${n}` }
      const options = route?.method === 'GET' ? {} : { json }
      return daemon.ask(route?.method ?? 'GET', `${path}${query}`, {
        ...rest,
        headers: asked,
        ...options,
      })
    }

    for (const field of [...inQuery, ...inBody]) {
      for (const text of textsOf(field.kind)) {
        const title = `${field.place.join('.')}: ${text}`
        let status = 0
        const least = await leastOfRounds(quickMs, async () => {
          const [answer, ms] = await timed(() => ask(field, text))
          status = answer.status
          t.ok(status < 500, `${title}: ${status} ${answer.text.slice(0, 200)}`)
          const isField = status === 400 || status === 422
          if (isField && text.startsWith('9999')) {
            t.match(answer.text, String(field.place.at(-1)), `${title} names the field`)
          }
          return { [title]: ms }
        })
        const ms = least.get(title) ?? 0
        t.ok(ms < quickMs, `${title}: ${ms} ms`)
        if (field.kind !== 'date' && text.startsWith('9999')) {
          t.ok([400, 422].includes(status), `${title} is refused: ${status}`)
        }
      }
    }
  })
}
