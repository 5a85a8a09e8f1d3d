// What identifies a page and what it publishes to programs: hosts, lasting ids, and times.
import { madeAtMs } from '../../base/ids.ts'
import type { PublicIncident, PublicMaintenance, PublicPage } from '../view/public-page.ts'

/** The host of its address, without a port; a literal address of IPv6 is no name. */
export function hostOf({ url }: Pick<PublicPage, 'url'>): string {
  const host = URL.parse(url)?.hostname ?? ''
  return host === '' || host.startsWith('[') ? 'localhost' : host
}

/** A lasting id (RFC 4151) of something that the page publishes. */
export function tagOf(view: Pick<PublicPage, 'id' | 'url'>, id: string): string {
  const [date] = isoTime(madeAtMs(view.id)).split('T')
  return `tag:${hostOf(view)},${date}:${id}`
}

export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString()
}

/** When the incident last became different for readers. */
export function incidentChangedAtMs({
  startedAtMs,
  resolvedAtMs,
  updates,
}: PublicIncident): number {
  return Math.max(startedAtMs, resolvedAtMs ?? 0, ...updates.map(({ atMs }) => atMs))
}

/** When the maintenance last became different for readers: its begin is a change. */
export function maintenanceChangedAtMs({
  isOn,
  startsAtMs,
  changedAtMs,
}: PublicMaintenance): number {
  return isOn ? Math.max(startsAtMs, changedAtMs) : changedAtMs
}

/** When what the page says last changed. */
export function pageChangedAtMs(view: PublicPage): number {
  return Math.max(
    madeAtMs(view.id),
    ...(view.monitors ?? []).map(({ sinceMs }) => sinceMs ?? 0),
    ...(view.incidents ?? []).map(incidentChangedAtMs),
    ...view.maintenance.map(maintenanceChangedAtMs),
  )
}
