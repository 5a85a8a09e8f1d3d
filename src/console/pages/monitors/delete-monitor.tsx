// Asks before a monitor is deleted: its results go with it and cannot come back.
import { type Data, fetchData } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskDialog } from '../../parts/dialog/ask-button.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export interface DeleteMonitorProps {
  readonly monitor: Data<'monitors.get'>
  readonly onDone: () => void
  readonly onClose: () => void
}

export function DeleteMonitor({ monitor, onDone, onClose }: DeleteMonitorProps) {
  const { monitor: texts, common } = words.value
  async function remove(): Promise<boolean> {
    const path = { orgId: orgId(), monitorId: monitor.id }
    const isDone = await act(
      () => fetchData('monitors.remove', { path }),
      texts.deleted({ name: monitor.name }),
    )
    if (isDone) onDone()
    return isDone
  }
  return (
    <AskDialog
      text={common.actions.remove}
      title={texts.deleteTitle({ name: monitor.name })}
      about={texts.deleteAbout}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
