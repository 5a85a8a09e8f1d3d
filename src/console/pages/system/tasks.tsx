// Recurring tasks: what they did last, and when they run again.

import { useSignal } from '@preact/signals'
import { fetchData, type Item } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { tell, tellProblem } from '../../parts/dialog/toast.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { usePoll } from '../../parts/page/poll.ts'
import { Progress } from '../../parts/text/progress.tsx'
import { Said } from '../../parts/text/said.tsx'
import { Time } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'

export function Tasks() {
  const texts = words.value.system
  const tasks = useData('system.tasks', { query: { limit: 100 } })
  const isAsked = useSignal(false)
  const isRunning = tasks.value.value?.some((task) => task.isRunning) ?? false
  usePoll(isRunning || isAsked.value, tasks.reload)
  const run = (name: Item<'system.tasks'>['name']) =>
    act(async () => {
      isAsked.value = true
      const ran = await fetchData('system.runTask', { path: { name } }).finally(() => {
        isAsked.value = false
      })
      await tasks.reload()
      const title = { name: words.value.audit.tasks[name] }
      if (ran.isRunning) return
      if (ran.lastOutcome === 'failed') tellProblem(texts.taskFailed(title))
      else tell(texts.taskRan(title))
    })
  return (
    <LogTable of={tasks}>
      {({ name, lastOutcome, lastDetail, lastStartedAt, nextRunAt, ...now }) => (
        <tr key={name}>
          <td title={name}>{words.value.audit.tasks[name]}</td>
          <td class={lastOutcome === 'failed' && !now.isRunning ? 'wrong' : 'faint'}>
            {now.isRunning ? (
              <Progress
                label={words.value.audit.tasks[name]}
                of={now.progress}
                since={now.runningSince}
              />
            ) : (
              <>
                <Said text={lastDetail ?? ''} />
                {lastOutcome === 'failed' && <p class="help">{adviceOn(name)}</p>}
              </>
            )}
          </td>
          <td>{lastStartedAt === null ? '–' : <Time at={lastStartedAt} />}</td>
          <td class="faint">
            {texts.next} <Time at={nextRunAt} />
          </td>
          <td class="actions">
            <button type="button" disabled={now.isRunning} onClick={() => void run(name)}>
              {texts.runTask}
            </button>
          </td>
        </tr>
      )}
    </LogTable>
  )
}

/** What to do about a failure. */
function adviceOn(name: string): string {
  const advice: Readonly<Record<string, string>> = words.value.system.taskAdvice
  return advice[name] ?? words.value.system.taskAdvice.other
}
