// stillup healthcheck: asks the running daemon whether it is ready, over its control socket.
import { exitCodes } from '../base/exit.ts'
import { toIsoOrNull } from '../base/schema/schema.ts'
import { limits } from '../domain/limits/limits.ts'
import type { StandbyStatus } from '../store/lock.ts'
import { defineCommand } from './model/command.ts'
import { askRunning, statusIn } from './model/daemon.ts'

export const command = defineCommand({
  about:
    'Container engines and scripts ask with it. GET /readyz answers the same over HTTP, but 503 on a standby, ' +
    'which is well as long as its leader answers it.',
  examples: [['stillup healthcheck', 'tells whether the daemon of these settings is ready']],
  exits: { 0: 'ready, or a standby that follows', 1: 'not ready, or no daemon runs' },
  async run({ host, configPath, show }) {
    const request = { verb: 'status' }
    const { version, pid, ready, standby } = statusIn(
      await askRunning(host, { configPath }, request, limits.controlTimeoutMs),
    )
    const who = `stillup ${version} (process ${pid}) is`
    if (!standby) {
      show({ isReady: ready, version, pid }, `${who} ${ready ? 'ready' : 'not ready'}`)
      return ready ? exitCodes.ok : exitCodes.failed
    }
    const { of, failure, hasAll, heardAtMs } = standby
    const heardAt = toIsoOrNull(heardAtMs)
    const shown = { isReady: ready, version, pid, standby: { of, heardAt, failure, hasAll } }
    show(shown, `${who} a standby of ${of}; ${howIt(standby)}; heard last: ${heardAt ?? 'never'}`)
    return heardAtMs !== null && failure === null ? exitCodes.ok : exitCodes.failed
  },
})

function howIt({ failure, hasAll }: StandbyStatus): string {
  if (failure !== null) return `its leader does not answer: ${failure}`
  return hasAll ? 'it has everything' : 'it does not have everything yet'
}
