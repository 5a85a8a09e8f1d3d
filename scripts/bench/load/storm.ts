// A storm: jobs that fail and recover in turns, so that every report changes a state.
import { Pool } from 'undici'
import type { Daemon } from '../world/daemon.ts'

const connections = 20
const tickMs = 20
/** More reports than these are not begun: the daemon is slower than what was asked of it. */
const openMax = 200

/** Goes on until it is stopped. */
export function startStorm({ baseUrl }: Daemon, tokens: readonly string[], perSecond: number) {
  const pool = new Pool(baseUrl, { connections })
  const startedMs = performance.now()
  const running = new Set<Promise<void>>()
  let sent = 0
  let answered = 0

  async function report(number: number): Promise<void> {
    const token = tokens[number % tokens.length]
    const status = Math.floor(number / tokens.length) % 2 === 0 ? 'error' : 'ok'
    const answer = await pool.request({
      method: 'POST',
      path: `/api/v1/push/${token}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status, message: status === 'error' ? 'the disk is full' : 'done' }),
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`a report got ${answer.statusCode}`)
    answered += 1
  }

  const timer = setInterval(() => {
    const due = ((performance.now() - startedMs) / 1_000) * perSecond
    while (sent < due && running.size < openMax) {
      const one = report(sent).finally(() => running.delete(one))
      running.add(one)
      sent += 1
    }
  }, tickMs)

  return {
    async stop() {
      clearInterval(timer)
      const seconds = (performance.now() - startedMs) / 1_000
      const perSecond = answered / seconds
      await Promise.all(running)
      await pool.close()
      return { perSecond, seconds }
    },
  }
}
