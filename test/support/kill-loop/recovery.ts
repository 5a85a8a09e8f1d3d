// How a world gets well again after many kills, so that everything owed can go out.
import { until } from '../until.ts'
import type { Api } from './api.ts'
import { need } from './daemon-process.ts'
import { impatientSeconds, type World } from './world.ts'

/** A life that sends nothing for so many looks holds something back. */
const quietLooksMax = 120

/**
 * Everything recovers: the targets, the senders, and by a pause what would stay unstable. Monitors
 * that expect a report every few seconds are paused for good.
 */
export async function recover(api: Api, world: World): Promise<void> {
  const { org, ledger, hooks, targets, watched } = world
  hooks.behave()
  targets.behave()
  for (const { thing, pushToken } of watched) {
    const fields = ledger.certain(thing)
    if (!fields?.isActive) continue
    if (fields.intervalSeconds === impatientSeconds) {
      const paused = { ...fields, isActive: false }
      await ledger.change(thing, paused, () => api.ask('POST', `${thing.path}/pause`))
    } else if (pushToken) await need(api, 'POST', `/push/${pushToken}`, { status: 'ok' })
    else await need(api, 'POST', thing.path)
  }
  for (const { monitorIds } of await need(api, 'GET', `${org}/incidents?state=open&limit=200`)) {
    await need(api, 'POST', `${org}/monitors/${monitorIds[0]}/pause`)
    await need(api, 'POST', `${org}/monitors/${monitorIds[0]}/resume`)
  }
}

/** Waits as long as something leaves; tells whether nothing is owed then. */
export async function sendsAll(api: Api, { subscribers }: World): Promise<boolean> {
  let least = Number.POSITIVE_INFINITY
  let quietLooks = 0
  await until(async () => {
    const path = 'deliveries?state=pending&limit=200'
    const rows = await Promise.all(
      subscribers.map(({ thing }) => need(api, 'GET', `${thing.path}/${path}`)),
    )
    const owed = rows.flat().length
    quietLooks = owed < least ? 0 : quietLooks + 1
    least = Math.min(least, owed)
    return owed === 0 || quietLooks > quietLooksMax
  })
  return least === 0
}
