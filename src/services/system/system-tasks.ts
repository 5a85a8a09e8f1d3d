// The periodic tasks for the operator: their state, and running one now.
import type { TaskState, Tasks } from '../../actors/tasks/tasks.ts'
import type { Clock } from '../../base/clock.ts'
import { notFound } from '../../base/fault.ts'
import type { Store } from '../../store/store.ts'
import type { Audit } from '../audit.ts'
import type { Caller, PageOf, PageRequest } from '../context.ts'

export interface SystemTasksDeps {
  readonly store: Pick<Store, 'write'>
  readonly clock: Clock
  readonly audit: Audit
  readonly tasks: Tasks
}

export type SystemTasks = ReturnType<typeof createSystemTasks>

/** How long a person who starts a task manually waits for its end. */
export const taskWaitMs = 25_000

export function createSystemTasks({ store, clock, audit, tasks }: SystemTasksDeps) {
  function found(name: string): TaskState {
    const task = tasks.list().find((one) => one.name === name)
    if (!task) throw notFound('task')
    return task
  }

  function ended(run: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(resolve, taskWaitMs)
      const end = () => {
        clock.clearTimeout(timer)
        resolve()
      }
      run.then(end, end)
    })
  }

  return {
    /** The tasks in the order of their registration. */
    list({ limit, after }: PageRequest): PageOf<TaskState> {
      const all = tasks.list()
      const rest = all.slice(all.findIndex(({ name }) => name === after) + 1)
      const items = rest.slice(0, limit)
      const last = items.at(-1)
      return rest.length > limit && last ? { items, nextAfter: last.name } : { items }
    },
    /** Joins a run in progress. Resolves at its end, or after taskWaitMs. Throws not_found. */
    async run(caller: Caller, name: string): Promise<TaskState> {
      found(name)
      await store.write((tx) =>
        audit.noteIn(tx, 'system', caller, {
          action: 'task.started',
          objectId: null,
          detail: name,
        }),
      )
      await ended(tasks.run(name))
      return found(name)
    },
  }
}
