// Targets that do everything wrong: each check ends in time, says what it was, leaves nothing open.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { LeaksInput, LeaksReport } from '../../scripts/bench/load/leaks-process.ts'
import { required } from '../../src/base/assert.ts'
import { startClock } from '../../src/base/clock.ts'
import type { CheckType } from '../../src/domain/checks/check-type.ts'
import { errorKinds, type Reading } from '../../src/domain/checks/reading.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { createProbes } from '../../src/probes/registry.ts'
import {
  type Behaviour,
  behaviours,
  bodies,
  connections,
  heads,
  quickBehaviours,
  redirects,
  secured,
  urlOf,
} from '../support/bad-behaviours.ts'
import { type BadServer, says, startBadServer } from '../support/bad-server.ts'
import { testCa } from '../support/certificates.ts'
import { chainRoot } from '../support/chain-certificates.ts'
import { withDeadline } from '../support/deadline.ts'
import { amount, isDeep, patient } from '../support/depth.ts'
import { resolverTo } from '../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'
import { startSilentPort } from '../support/silent-port.ts'
import { fairMs } from '../support/starvation.ts'
import { closedPort } from '../support/target.ts'
import { watchTurns } from '../support/turns.ts'
import { until } from '../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = createProbes({
  guard: createGuard({ targets: 'any' }),
  clock,
  ca: [testCa, chainRoot],
  resolver: resolverTo('127.0.0.1'),
})

/** What checks compute makes them late; one that hangs is late by far more than this. */
const slackMs = patient(250)
/** When whoever needs no deadline must be done; they have more where the machine is busy. */
const usualMs = makeTarget().timeoutMs
const patientMs = 10 * usualMs
const needle = { expect: { bodyContains: 'needle' } } as const

const leaksProcess = join(import.meta.dirname, '../../scripts/bench/load/leaks-process.ts')

const startOf = ({ serve, tls }: Behaviour) => startBadServer(serve, tls ? { tls } : {})

function merged(one: TargetFields, other: TargetFields): TargetFields {
  return { ...one, ...other, expect: { ...one.expect, ...other.expect } }
}

/** One check, which ends in time and says something, whatever that is. */
async function look(t: Test, name: string, fields: TargetFields): Promise<Reading> {
  const endMs = fields.timeoutMs === undefined ? usualMs : fields.timeoutMs + slackMs
  const startedMs = fairMs()
  const reading = await probe(makeTarget({ timeoutMs: patientMs, ...fields }), { clock })
  const tookMs = fairMs() - startedMs
  if (tookMs > endMs) t.fail(`${name}: took ${tookMs} ms`)
  const { result, error } = reading
  if (result === 'unknown') t.fail(`${name}: ${error?.message}`)
  if ((error === undefined) !== (result === 'good')) t.fail(`${name}: an error if it is not good`)
  if (error === undefined) return reading
  if (!errorKinds.includes(error.kind)) t.fail(`${name}: ${error.kind}`)
  const isSentence = /^\P{Cc}+$/u.test(error.message)
  if (!isSentence || error.message.length > limits.errorMessageCharsMax) {
    t.fail(`${name}: ${error.message}`)
  }
  return reading
}

function told({ error }: Reading): string {
  if (error === undefined) return 'good'
  return error.phase === undefined ? error.kind : `${error.kind} ${error.phase}`
}

async function closed(t: Test, name: string, server: BadServer): Promise<void> {
  await until(() => server.open === 0).catch(() => undefined)
  if (server.open > 0) t.fail(`${name}: ${server.open} connections are left open`)
  await server.close()
}

for (const [title, table] of Object.entries({
  'what is connected to': connections,
  'the head of an answer': heads,
  'the body of an answer': bodies,
  'a redirect': redirects,
  TLS: secured,
})) {
  t.test(`whatever is wrong with ${title}, a check says it by its kind`, async (t) => {
    const rows = Object.entries(table)
    // What only waits, waits together.
    await Promise.all(rows.filter(waits).map((row) => lookBoth(t, ...row)))
    for (const row of rows) if (!waits(row)) await lookBoth(t, ...row)
  })
}

function waits([, { fields }]: readonly [name: string, Behaviour]): boolean {
  return fields?.timeoutMs !== undefined
}

/** A check of the status, and one that looks into the body. */
async function lookBoth(t: Test, name: string, behaviour: Behaviour): Promise<void> {
  const { status, body = status, fields = {} } = behaviour
  const server = await startOf(behaviour)
  const url = urlOf(behaviour, server.port)
  const looks = [
    [status, {}],
    [body, needle],
  ] as const
  const lookOnce = async ([wanted, expect]: (typeof looks)[number]) => {
    const isIt = (seen: Reading) => [wanted].flat().includes(told(seen) as never)
    const asked = merged({ url, ...fields }, expect)
    const reading =
      asked.timeoutMs === undefined
        ? await look(t, name, asked)
        : await withDeadline(
            asked.timeoutMs,
            (timeoutMs) => look(t, name, { ...asked, timeoutMs }),
            isIt,
          )
    t.ok(isIt(reading), `${name}: ${told(reading)}, ${reading.error?.message}`)
  }
  await Promise.all(looks.map(lookOnce))
  await closed(t, name, server)
}

t.test('very many headers do not keep the program from everything else', async (t) => {
  const server = await startBadServer(says(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}\r\n`))
  const fields = { url: `http://127.0.0.1:${server.port}/` }
  await look(t, 'the first', fields)
  const longestMs = watchTurns()
  t.equal(told(await look(t, 'the second', fields)), 'invalid_response download')
  const turnMs = longestMs()
  t.ok(turnMs < 50, `at most ${turnMs.toFixed(1)} ms at a time`)
  await closed(t, 'both', server)
})

t.test('a closed port, and one that never accepts a connection', async (t) => {
  const port = await closedPort()
  t.equal(told(await look(t, 'closed', { url: `http://127.0.0.1:${port}/` })), 'connect connect')
  const silent = await startSilentPort()
  if (!silent) return t.comment('this machine answers all the same')
  t.teardown(() => silent.close())
  const url = `http://127.0.0.1:${silent.port}/`
  t.equal(told(await look(t, 'silent', { url, timeoutMs: 250 })), 'timeout connect')
})

/** The URL of each other kind of check for a port. */
const others: Readonly<Record<string, (place: string) => string>> = {
  keyword: (place) => `http://${place}/`,
  health: (place) => `https://${place}/`,
  ssl: (place) => `https://${place}/`,
  tcp: (place) => `tcp://${place}`,
  websocket: (place) => `ws://${place}/`,
  smtp: (place) => `smtp://${place}`,
  ping: (place) => `ping://${place}`,
}

t.test('the other kinds of check survive all of it too', async (t) => {
  const rows = Object.entries(behaviours).filter(([, { isSlow }]) => !isSlow)
  const atOnce = amount(24, 12)
  const looks = Object.entries(others).flatMap(([kind, urlFor]) =>
    [{}, needle].map((more) => ({ checkType: kind as CheckType, urlFor, more })),
  )
  // Others in turn; their number shares no divisor with that of the looks.
  const looksOfEach = amount(2, looks.length)
  let turn = 0
  for (let i = 0; i < rows.length; i += atOnce) {
    const batch = rows.slice(i, i + atOnce).map(async ([name, behaviour]) => {
      const server = await startOf(behaviour)
      const looking = Array.from({ length: looksOfEach }, () => {
        const { checkType, urlFor, more } = required(looks[turn++ % looks.length], 'a look')
        const url = urlFor(`127.0.0.1:${server.port}`)
        return look(t, `${checkType}: ${name}`, { checkType, url, timeoutMs: 200, ...more })
      })
      await Promise.all(looking)
      await closed(t, name, server)
    })
    await Promise.all(batch)
  }
  t.ok(rows.length >= 60, `${rows.length} behaviours`)
})

const skip = !isDeep && 'a matter of quantity: in deep runs'

t.test('hundreds of checks of all of it leave nothing behind', { skip }, async (t) => {
  const servers = await Promise.all(
    quickBehaviours.map(async ([, behaviour]) => {
      const server = await startOf(behaviour)
      const fields = merged({ url: urlOf(behaviour, server.port), ...behaviour.fields }, needle)
      return { server, fields }
    }),
  )
  const targets = servers.map(({ fields }) => fields)
  const input: LeaksInput = { targets, warmup: 200, checks: amount(200, 2_000), atOnce: 16 }
  const execArgv = ['--max-semi-space-size=8', '--heap-growing-percent=50', '--expose-gc']
  const child = fork(leaksProcess, [JSON.stringify(input)], { execArgv })
  const [report]: LeaksReport[] = await once(child, 'message')
  if (report === undefined) return t.fail('no report')
  await once(child, 'exit')
  const { ends, lateMsMax, resourcesLeft, before, after } = report
  t.same(
    Object.keys(ends).filter((end) => end.startsWith('unknown')),
    [],
  )
  t.ok(lateMsMax <= slackMs, `${lateMsMax} ms late`)
  t.ok(resourcesLeft <= 0, `${resourcesLeft} handles left`)
  const grownKb = after.used - before.used
  t.ok(grownKb < 2_048, `${grownKb.toFixed()} KB more`)
  await Promise.all(servers.map(({ server }, i) => closed(t, String(i), server)))
})
