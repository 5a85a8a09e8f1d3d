// The backups that exist, and a new one now.

import { useSignal } from '@preact/signals'
import { DatabaseBackup } from 'lucide'
import { fetchData } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { usePoll } from '../../parts/page/poll.ts'
import { Progress } from '../../parts/text/progress.tsx'
import { Said } from '../../parts/text/said.tsx'
import { bytes } from '../../parts/text/sizes.ts'
import { milliseconds, Time } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'

export function Backups() {
  const { system: texts, common } = words.value
  const isRunning = useSignal(false)
  const backups = useData('backups.list', { query: { limit: 100 } })
  const info = useData('system.info', {})
  const { progress = null, copyProgress = null, lastError = null } = info.value.value?.backup ?? {}
  usePoll(isRunning.value || progress !== null || copyProgress !== null, async () => {
    await info.reload()
    // The list has it as soon as it is made.
    if (info.value.value?.backup.progress === null) await backups.reload()
  })
  async function make(): Promise<void> {
    isRunning.value = true
    await act(async () => {
      await fetchData('backups.make', {})
      await backups.reload()
    }, texts.backupMade)
    isRunning.value = false
  }
  return (
    <div class="page-part">
      <div class="actions">
        <button type="button" aria-busy={isRunning.value} onClick={() => void make()}>
          {texts.makeBackup}
        </button>
      </div>
      {progress !== null && (
        <p>
          {texts.backupRunning} <Progress label={texts.backupRunning} of={progress} since={null} />
        </p>
      )}
      {copyProgress !== null && (
        <p>
          {texts.backupCopying}{' '}
          <Progress label={texts.backupCopying} of={copyProgress} since={null} />
        </p>
      )}
      {lastError !== null && (
        <p class="note is-degraded">
          <Said text={`the last backup failed: ${lastError}`} />
        </p>
      )}
      <p class="faint">{texts.backupsAbout}</p>
      <LogTable of={backups} none={{ icon: DatabaseBackup, about: texts.noBackups }}>
        {({ name, takenAt, bytes: size, records, durationMs, version }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>
              <Time at={takenAt} />
            </td>
            <td class="figure">{bytes(size)}</td>
            <td class="figure">{texts.records({ count: records })}</td>
            <td class="faint">
              {milliseconds(durationMs)} · {version}
            </td>
            <td>
              <AskButton
                text={common.actions.remove}
                title={texts.deleteBackup({ name })}
                about={texts.deleteBackupAbout}
                onConfirm={() =>
                  act(async () => {
                    await fetchData('backups.remove', { path: { backupName: name } })
                    await backups.reload()
                  })
                }
              />
            </td>
          </tr>
        )}
      </LogTable>
    </div>
  )
}
