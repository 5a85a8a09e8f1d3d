// Recurring tasks: what they did last, and when they run again.

import { fetchData, type Item } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Time } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'

export function Tasks() {
  const texts = words.value.system
  const tasks = useResource(
    (signal) => fetchData('system.tasks', { query: { limit: 100 }, signal }),
    [],
  )
  const run = (name: Item<'system.tasks'>['name']) =>
    act(
      async () => {
        await fetchData('system.runTask', { path: { name } })
        await tasks.reload()
      },
      texts.taskRan({ name: words.value.audit.tasks[name] }),
    )
  return (
    <LogTable of={tasks}>
      {({ name, lastOutcome, lastDetail, lastStartedAt, nextRunAt, isRunning }) => (
        <tr key={name}>
          <td title={name}>{words.value.audit.tasks[name]}</td>
          <td class={lastOutcome === 'failed' ? 'wrong' : 'faint'} lang="en">
            {lastDetail}
          </td>
          <td>{lastStartedAt === null ? '–' : <Time at={lastStartedAt} />}</td>
          <td class="faint">
            {texts.next} <Time at={nextRunAt} />
          </td>
          <td>
            <button type="button" disabled={isRunning} onClick={() => void run(name)}>
              {texts.runTask}
            </button>
          </td>
        </tr>
      )}
    </LogTable>
  )
}
