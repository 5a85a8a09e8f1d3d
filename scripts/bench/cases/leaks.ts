// Case (f): thousands of checks of targets that misbehave. Is anything left of them?
import {
  type Behaviour,
  quickBehaviours,
  secured,
  urlOf,
} from '../../../test/support/bad-behaviours.ts'
import { startBadServer } from '../../../test/support/bad-server.ts'
import type { LeaksInput, LeaksReport } from '../load/leaks-process.ts'
import { atMost, type CaseResult, info } from '../world/figure.ts'
import { ended, nextMessage, type Workplace } from '../world/workplace.ts'

export interface LeaksOptions {
  readonly checks: number
}

const atOnce = 32
/** As the daemon is started, so that as much garbage lies about; and how to have it collected. */
const nodeArgs = ['--max-semi-space-size=8', '--heap-growing-percent=50', '--expose-gc']
const reportMsMax = 600_000
const slackMs = 250

export async function measureLeaks(work: Workplace, options: LeaksOptions): Promise<CaseResult> {
  const { checks } = options
  const mixed = await run(work, quickBehaviours, checks)
  const broken = 'shows a certificate that expired'
  const certified = Object.entries(secured).filter(([name]) => name === broken)
  const certificate = await run(work, certified, checks)
  return {
    title: `leaks: ${checks} checks of ${quickBehaviours.length} kinds of bad targets`,
    figures: [...figuresOf('mixed', mixed, checks), ...figuresOf('expired', certificate, checks)],
    details: { options, mixed, certificate },
  }
}

async function run(
  work: Workplace,
  behaviours: readonly (readonly [string, Behaviour])[],
  checks: number,
): Promise<LeaksReport> {
  const servers = await Promise.all(
    behaviours.map(async ([, behaviour]) => {
      const { serve, tls, fields } = behaviour
      const server = await startBadServer(serve, tls ? { tls } : {})
      return { server, fields: { url: urlOf(behaviour, server.port), ...fields } }
    }),
  )
  const targets = servers.flatMap(({ fields }) => {
    const expect = { ...fields.expect, bodyContains: 'needle' }
    return [fields, { ...fields, expect }]
  })
  // The first thousands stretch what the allocator keeps for the next.
  const input: LeaksInput = { targets, warmup: checks, checks, atOnce }
  const child = work.fork('load/leaks-process.ts', input, nodeArgs)
  const report = await nextMessage<LeaksReport>(child, reportMsMax)
  await ended(child, slackMs * 10)
  await Promise.all(servers.map(({ server }) => server.close()))
  return report
}

function figuresOf(what: string, report: LeaksReport, checks: number) {
  const { seconds, ends, lateMsMax, before, after, resourcesLeft } = report
  const unknown = Object.entries(ends).filter(([end]) => end.startsWith('unknown'))
  const unknowns = unknown.reduce((sum, [, count]) => sum + count, 0)
  return [
    info(`${what}: checks`, checks / seconds, '/s'),
    atMost(`${what}: resident memory grown`, (after.rss - before.rss) / 1_024, 'MB', 30),
    atMost(`${what}: used memory grown`, (after.used - before.used) / 1_024, 'MB', 2),
    info(`${what}: resident memory`, after.rss / 1_024, 'MB'),
    atMost(`${what}: sockets left`, resourcesLeft, '', 0),
    atMost(`${what}: latest after its timeout`, lateMsMax, 'ms', slackMs),
    atMost(`${what}: checks that could not be made`, unknowns, '', 0),
  ]
}
