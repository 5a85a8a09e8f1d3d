// Case (b): push reports from keep-alive connections, each durable before it is answered.

import { serveFloor } from '../load/floor.ts'
import { loadFigures, runLoad } from '../load/load-process.ts'
import { startDaemon } from '../world/daemon.ts'
import { atMost, type CaseResult, info, toFloor } from '../world/figure.ts'
import { prepare } from '../world/prepare.ts'
import type { Workplace } from '../world/workplace.ts'

export interface PushOptions {
  readonly monitors: number
  readonly connections: number
  readonly warmupSeconds: number
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

const pushGoal = { op: '>=', value: 0.5 } as const

export async function measurePush(work: Workplace, options: PushOptions): Promise<CaseResult> {
  const { monitors, connections, warmupSeconds, seconds, nodeArgs } = options
  const monitor = { name: 'Job', checkType: 'push', intervalSeconds: 3_600 }
  // The template's own token is not among the tokens that report.
  const made = await prepare(work, { name: 'push', count: monitors + 1, monitor })
  const load = {
    connections,
    warmupSeconds,
    seconds,
    tokensFile: made.tokensFile,
    request: {
      method: 'POST',
      path: '/api/v1/push/{token}',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ status: 'ok', message: 'backup done', durationMs: 1_234 }),
    },
  }
  const floor = await serveFloor(work, load)
  const daemon = await startDaemon(work, { dataDir: made.dataDir, nodeArgs })
  const loaded = await runLoad(work, daemon, load)
  await daemon.stop()
  return {
    title: `push: ${monitors} tokens, ${connections} connections, ${seconds} s`,
    figures: [
      info('floor: durable puts behind uWebSockets.js', floor.perSecond, '/s'),
      toFloor(info('push reports', loaded.perSecond, '/s'), floor.perSecond, pushGoal),
      atMost('push failures', loaded.failures, '', 0),
      ...loadFigures('push', loaded, { floor }),
    ],
    details: { options, loaded, floor },
  }
}
