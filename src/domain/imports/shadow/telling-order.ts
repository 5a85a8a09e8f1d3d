// The order in which the monitors of a shadow run go live: what explains an outage before what it explains.
import type { MonitorId } from '../../../base/ids.ts'
import type { Monitor } from '../../monitors/monitor.ts'

type Ordered = Pick<Monitor, 'id' | 'dependsOn' | 'memberIds'>

/**
 * The same monitors, each after those that it depends on, and a group after its members, together with them. Otherwise
 * they keep their order.
 */
export function inOrderOfTelling<One extends Ordered>(monitors: readonly One[]): readonly One[] {
  const byId = new Map<MonitorId, One>(monitors.map((one) => [one.id, one]))
  const known = new Set<MonitorId>()
  const ordered: One[] = []

  // A path of these that waits for what comes before, however long it is.
  function place(first: One): void {
    const path = [waiting(first)]
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const next = last.before.next()
      if (next.done) {
        ordered.push(last.one)
        path.pop()
      } else if (!known.has(next.value.id)) path.push(waiting(next.value))
    }
  }

  function waiting(one: One) {
    known.add(one.id)
    const before = [...one.dependsOn, ...one.memberIds].flatMap((id) => byId.get(id) ?? [])
    return { one, before: before.values() }
  }

  const members = new Set(monitors.flatMap(({ memberIds }) => memberIds))
  const outer = monitors.filter(({ id }) => !members.has(id))
  for (const one of [...outer, ...monitors]) if (!known.has(one.id)) place(one)
  return ordered
}
