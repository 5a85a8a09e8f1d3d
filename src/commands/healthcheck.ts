// stillup healthcheck: asks the running daemon whether it is ready, over its control socket.
import { exitCodes } from '../base/exit.ts'
import { limits } from '../domain/limits/limits.ts'
import { defineCommand } from './model/command.ts'
import { askRunning, statusIn } from './model/daemon.ts'

export const command = defineCommand({
  about: 'Container engines and scripts ask with it. GET /readyz answers the same over HTTP.',
  examples: [['stillup healthcheck', 'tells whether the daemon of these settings is ready']],
  exits: { 0: 'ready', 1: 'not ready, or no daemon runs' },
  async run({ host, configPath, show }) {
    const request = { verb: 'status' }
    const { version, pid, ready } = statusIn(
      await askRunning(host, { configPath }, request, limits.controlTimeoutMs),
    )
    const state = ready ? 'ready' : 'not ready'
    show({ isReady: ready, version, pid }, `stillup ${version} (process ${pid}) is ${state}`)
    return ready ? exitCodes.ok : exitCodes.failed
  },
})
