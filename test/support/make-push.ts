// Push monitors for tests: with a token that leads to them.

import { Fault } from '../../src/base/fault.ts'
import type { Monitor } from '../../src/domain/monitors/monitor.ts'
import { hashToken, mintToken } from '../../src/seal/tokens.ts'
import type { MonitorWorld } from './monitor-world.ts'

/** A report every 5 minutes, with a minute of grace, that nobody has sent yet. */
export async function addPush(world: MonitorWorld, fields: Partial<Monitor> = {}) {
  const token = mintToken('spp')
  const monitor = await world.add({
    checkType: 'push',
    url: null,
    name: 'Backup',
    pushTokenHash: hashToken(token),
    intervalSeconds: 300,
    graceSeconds: 60,
    ...fields,
  })
  world.fleet.start(monitor, 'created', world.monitorState(monitor))
  return { monitor, token }
}

/** For worlds without API keys. */
export const noKeys = {
  authenticate(): never {
    throw new Fault('unauthenticated')
  },
}
