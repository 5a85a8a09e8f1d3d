// A status page as a user would make it, over the API.
import type { Account } from './account.ts'
import type { Daemon } from './daemon.ts'
import { idIn } from './prepare.ts'

export const slug = 'bench'

/** The monitors of the page, one check of each, and the page. */
export async function makePage(
  daemon: Daemon,
  account: Account,
  monitor: object,
  count: number,
): Promise<void> {
  const publicMonitorIds: string[] = []
  while (publicMonitorIds.length < count) {
    publicMonitorIds.push(idIn(await account.create(daemon, '/monitors', monitor)))
  }
  for (const id of publicMonitorIds) await account.create(daemon, `/monitors/${id}`, {})
  const shown = { showHistory: true, showUptime: true, showIncidents: true, showMonitors: true }
  const names = { name: 'Bench', slug, title: 'Bench status', description: 'How it goes' }
  const page = { ...names, ...shown, isEnabled: true, isDefault: true, publicMonitorIds }
  await account.create(daemon, '/status-pages', page)
}
