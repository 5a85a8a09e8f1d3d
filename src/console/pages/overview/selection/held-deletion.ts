// Holds a deletion back while its note offers to undo it, and sends it when the note goes or the page is left.
import { fetchData } from '../../../api/client.ts'
import { asProblem } from '../../../api/resource.ts'
import { tell, tellProblem } from '../../../parts/dialog/toast.tsx'
import { problemText } from '../../../parts/page/problem-note.tsx'
import { dropMonitors, hideMonitors, isMonitorThere } from '../../../stores/monitors.ts'
import { beforeSignOut, orgId } from '../../../stores/session.ts'

/** The ids that fit into what browsers send for a page that is left, which is 64 KiB. */
export const heldMax = 1_500

interface Held {
  readonly orgId: string
  readonly ids: readonly string[]
}

const waiting = new Set<Held>()

/** Hides the monitors, and deletes them once the note is gone. At most `heldMax`. */
export function holdDeletion(ids: readonly string[], text: string): void {
  // What waited before cannot be sent together with it.
  for (const held of waiting) void send(held)
  const held = { orgId: orgId(), ids }
  waiting.add(held)
  hideMonitors(ids, true)
  tell(
    text,
    () => {
      if (waiting.delete(held)) hideMonitors(ids, false)
    },
    () => void send(held),
  )
}

/** Deletes monitors at once. Throws ApiProblem. */
export async function deleteNow(
  { orgId, ids }: Held,
  more: { readonly keepalive?: boolean } = {},
): Promise<void> {
  // One that is gone already would refuse the others.
  const there = ids.filter((id) => isMonitorThere(orgId, id))
  if (there.length === 0) return
  await fetchData('monitors.removeMany', { path: { orgId }, body: { ids: there }, ...more })
  dropMonitors(new Set(there))
}

async function send(held: Held, more: { readonly keepalive?: boolean } = {}): Promise<void> {
  if (!waiting.delete(held)) return
  try {
    await deleteNow(held, more)
  } catch (error) {
    tellProblem(problemText(asProblem(error)))
  } finally {
    hideMonitors(held.ids, false)
  }
}

beforeSignOut(() => Promise.all([...waiting].map((held) => send(held))))

addEventListener('pagehide', () => {
  for (const held of waiting) void send(held, { keepalive: true })
})
