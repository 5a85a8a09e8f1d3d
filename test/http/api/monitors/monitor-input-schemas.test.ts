// The reference of what callers may say of a monitor: complete, and true of what then happens.
import t, { type Test } from 'tap'
import { createCheck } from '../../../../src/base/schema/validate.ts'
import type { CheckType } from '../../../../src/domain/checks/check-type.ts'
import { fieldsOfPush } from '../../../../src/domain/monitors/monitor-fields.ts'
import { completedInput } from '../../../../src/domain/monitors/monitor-input.ts'
import { MonitorIn } from '../../../../src/http/api/monitors/monitor-input-schemas.ts'
import { monitors } from '../../../../src/http/api/monitors/monitors.ts'
import { monitorsBulk } from '../../../../src/http/api/monitors/monitors-bulk.ts'
import { openApiDocument } from '../../../../src/http/openapi/openapi.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { createGuard } from '../../../../src/net/egress-policy.ts'
import { probedKinds } from '../../../../src/probes/registry.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'
import { openMachine } from '../../../support/open-machine.ts'
import { targetRules } from '../../../support/target-rules.ts'

interface Described {
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
}

const routes = atPrefix('/api/v1', [...monitors, ...monitorsBulk])
const document = JSON.parse(
  JSON.stringify(openApiDocument(routes, { baseUrl: 'https://up.example', version: '1.2.3' })),
)
const place = '/api/v1/orgs/{orgId}/monitors'
const bodyOf = (method: string, rest = '') => document.paths[place + rest][method].requestBody
const fieldsOf = (method: string, rest = ''): Readonly<Record<string, Described>> =>
  bodyOf(method, rest).content['application/json'].schema.properties

const said = fieldsOf('post')
const least = { name: 'API', url: 'https://inside.test/' }

async function open(t: Test) {
  const world = startMonitorServices(t)
  const server = await startTestHttp({
    routes,
    services: { monitors: world.monitors, readings: world.readings },
    clock: world.clock,
  })
  t.teardown(() => server.stop())
  return async (method: string, rest: string, json: unknown) => {
    const path = `/api/v1/orgs/${orgA}/monitors${rest}`
    const answer = await world.done(server.ask(path, { as: 'alice', method, json }))
    t.equal(answer.status, 200, answer.text)
    return answer.json.data
  }
}

t.test('every field of a body is described', async (t) => {
  const bodies: [string, Readonly<Record<string, Described>>][] = [
    ['POST', said],
    ['POST /test', fieldsOf('post', '/test')],
    ['POST /bulk', fieldsOf('post', '/bulk')],
    ['POST /bulk monitors', fieldsOf('post', '/bulk').monitors?.items?.properties ?? {}],
    ['PATCH one', fieldsOf('patch', '/{monitorId}')],
    ['PATCH many', fieldsOf('patch')],
    ['DELETE many', fieldsOf('delete')],
    ['assertions', said.assertions?.items?.properties ?? {}],
  ]
  for (const [body, fields] of bodies) {
    t.not(Object.keys(fields).length, 0, body)
    const mute = Object.entries(fields).filter(
      ([, { description }]) => !/^.{20}/.test(description ?? ''),
    )
    t.same(mute, [], body)
  }
  t.equal(bodyOf('post').description, 'At most 512 KiB.')
  t.equal(bodyOf('patch', '/{monitorId}').description, 'At most 512 KiB.')
  t.equal(bodyOf('post', '/bulk').description, 'At most 16 MiB.')
})

/** Answers about other monitors leave them out. */
const ofOthers: ReadonlySet<string> = new Set([
  ...fieldsOfPush,
  ...['memberIds', 'groupState', 'steps', 'variables', 'actions', 'viewport', 'game'],
])

t.test('each documented default is what a monitor has without the field', async (t) => {
  const send = await open(t)
  const named = Object.entries(said).filter(([, field]) => 'default' in field)
  const withDefault = named.map(([name]) => name)
  const all = Object.keys(said)
  const others = ['name', 'url', 'intervalSeconds', 'retryIntervalSeconds', 'degradedThresholdMs']
  t.same(all.filter((name) => !withDefault.includes(name)).toSorted(), others.toSorted())
  const made = await send('POST', '', least)
  const input: Readonly<Record<string, unknown>> = { ...completedInput(least) }
  for (const [name, field] of named) {
    if (!ofOthers.has(name)) t.same(made[name], field.default, `${name} as it is answered`)
    t.same(input[name], field.default, `${name} as it is applied`)
  }
  t.match(said.degradedThresholdMs?.description, `Absent: ${made.degradedThresholdMs},`)
  t.match(said.retryIntervalSeconds?.description, `to ${made.retryIntervalSeconds}.`)
  const hasty = await send('POST', '', { ...least, intervalSeconds: 10 })
  t.match(said.retryIntervalSeconds?.description, `from ${hasty.retryIntervalSeconds} `)
})

t.test('documenting a default does not fill it in', async (t) => {
  const sent = { ...least, assertions: [{ source: 'status', type: 'exists' }] }
  const read = structuredClone(sent)
  t.same(createCheck(MonitorIn, 10)(read), [])
  t.same(read, sent)
  const send = await open(t)
  const quick = await send('POST', '', { ...least, timeoutMs: 2_000 })
  t.equal(quick.degradedThresholdMs, null, 'a timeout without room for the default threshold')
  const own = { intervalMinutes: 7, timeoutMs: 5_000, tags: ['shop'], isActive: false }
  const { id } = await send('POST', '', { ...least, ...own })
  t.match(await send('PATCH', `/${id}`, { name: 'New' }), { ...own, name: 'New' })
  const changes = Object.values(fieldsOf('patch', '/{monitorId}'))
  t.same(
    changes.filter((field) => 'default' in field),
    [],
    'what a change leaves out stays as it is',
  )
})

t.test('warnings of certificates are up to ten different whole days within a year', async (t) => {
  const said = (certificateWarnDays: unknown) =>
    createCheck(
      MonitorIn,
      10,
    )({ ...least, certificateWarnDays }).map(
      ({ pointer, keyword, message }) => `${pointer} ${keyword} ${message}`,
    )
  const field = '/certificateWarnDays'
  for (const fine of [[], [1], [365, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]) t.same(said(fine), [])
  const wrong: [days: unknown, problem: RegExp][] = [
    [[0], /Days\/0 minimum/],
    [[366], /Days\/0 maximum/],
    [[1.5], /Days\/0 type .*integer|whole/],
    [['7'], /Days\/0 type/],
    [[7, 3, 7], /Days uniqueItems must not contain duplicates/],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], /Days maxItems must have at most 10/],
    [7, /Days type/],
  ]
  for (const [days, problem] of wrong) {
    t.match(said(days)[0], problem, JSON.stringify(days))
    t.match(said(days)[0], new RegExp(`^${field}`))
  }
})

t.test('a change to null restores the default that is documented for it', async (t) => {
  const send = await open(t)
  const own = {
    method: 'POST',
    expectedStatus: 201,
    acceptedStatuses: ['204'],
    headers: { a: 'b' },
    followRedirects: false,
    maxRedirects: 1,
    ignoreTlsErrors: true,
    ipFamily: 'ipv4',
    intervalMinutes: 7,
    timeoutMs: 9_000,
    failureThreshold: 1,
    recoveryThreshold: 1,
    degradedThreshold: 1,
    degradedOpensIncident: true,
    reminderMinutes: 30,
    isUpsideDown: true,
    alertsNobody: true,
    isActive: false,
    isPublic: true,
    responseFormat: 'json',
    tags: ['shop'],
    certificateWarnDays: [9],
    assertions: [{ source: 'status', type: 'exists' }],
    locations: ['home'],
    downWhen: 'all',
  }
  const { id } = await send('POST', '', { ...least, ...own })
  const named = Object.entries(fieldsOf('patch', '/{monitorId}')).flatMap(([name, field]) => {
    const [, value] = /Null: the default, `(.*)`\.$/.exec(field.description ?? '') ?? []
    return value === undefined ? [] : [[name, JSON.parse(value)] as const]
  })
  const names = named.map(([name]) => name)
  const nothingToSay = [
    ...['notifyChannelIds', 'dependsOn', 'graceSeconds', 'domainWarnDays'],
    ...['memberIds', 'groupState', 'steps', 'variables', 'actions', 'viewport'],
    ...['timezone', 'maxRunSeconds', 'autoRecoveryMinutes'],
  ]
  t.same(names.toSorted(), [...Object.keys(own), ...nothingToSay].toSorted())
  const nulls = Object.fromEntries(names.map((name) => [name, null]))
  const changed = await send('PATCH', `/${id}`, nulls)
  for (const [name, value] of named) {
    if (!ofOthers.has(name)) t.same(changed[name], value, name)
  }
})

t.test('the documented forms of a url are accepted', async (t) => {
  const machine = { ...openMachine, host: ['memory', 'cpu', 'load', '/var'] }
  const commands = { name: ['/bin/true'] }
  const rules = targetRules(createGuard({ targets: 'any', machine: { ...machine, commands } }))
  const lines = said.url?.description?.match(/^- .*$/gm) ?? []
  let kinds = 0
  for (const line of lines) {
    const [, names = '', forms = ''] = /^- ([a-z\d, -]+): (.*)$/.exec(line) ?? []
    const urls = [...forms.matchAll(/`(\w+:\/\/[^`]*)`/g)].map(([, url = '']) => url)
    t.not(urls.length, 0, line)
    for (const kind of names.split(', ')) {
      kinds += 1
      for (const form of urls) {
        for (const port of ['', ':2525']) {
          const url = form
            .replace('[:port]', port)
            .replace(':port', ':2525')
            .replace(/\[\/\w+\]/, port === '' ? '' : '/1')
          t.equal(rules.judgeUrl(kind as CheckType, url), null, `${kind} ${url}`)
        }
      }
    }
  }
  t.equal(kinds, probedKinds.length, 'every kind but push')
})
