// Silences a monitor for an hour: planned work that begins now, and can be taken back.
import { fetchData } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { tell } from '../../parts/dialog/toast.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

const hourMs = 3_600_000

interface Silenced {
  readonly id: string
  readonly name: string
}

export async function silence(monitor: Silenced): Promise<void> {
  const texts = words.value.maintenance.silence
  const path = { orgId: orgId() }
  await act(async () => {
    const nowMs = Date.now()
    const { id } = await fetchData('maintenance-windows.create', {
      path,
      body: {
        name: texts.name({ monitor: monitor.name }),
        monitorIds: [monitor.id],
        startsAt: new Date(nowMs).toISOString(),
        endsAt: new Date(nowMs + hourMs).toISOString(),
      },
    })
    const end = () =>
      fetchData('maintenance-windows.remove', { path: { ...path, maintenanceId: id } })
    tell(texts.done, () => void act(end, texts.undone))
  })
}

export function Silence({ monitor }: { readonly monitor: Silenced }) {
  const texts = words.value.maintenance.silence
  return (
    <button
      type="button"
      aria-keyshortcuts="s"
      title={texts.about}
      onClick={() => void silence(monitor)}
    >
      {texts.button}
    </button>
  )
}
