// The API of the service's periodic tasks, for its operator.
import Type from 'typebox'
import type { TaskState } from '../../../actors/tasks/tasks.ts'
import * as s from '../../../base/schema/schema.ts'
import { answer, list, post, resource, wirePage } from '../../routing/route.ts'

const who = { system: true } as const

const TaskOut = s.object({
  name: Type.String(),
  intervalSeconds: Type.Integer(),
  isRunning: Type.Boolean(),
  lastStartedAt: s.nullable(s.isoTime),
  lastDurationMs: s.nullable(Type.Integer()),
  lastOutcome: s.nullable(s.oneOf(['done', 'failed'])),
  lastDetail: s.nullable(Type.String({ description: 'The result, or why it failed' })),
  nextRunAt: s.isoTime,
})

const toWire = (task: TaskState) => ({
  ...task,
  intervalSeconds: Math.round(task.intervalMs / 1_000),
  lastStartedAt: s.toIsoOrNull(task.lastStartedAtMs),
  nextRunAt: s.toIso(task.nextRunAtMs),
})

export const systemTasks = resource('/system', {
  tasks: list('/tasks', {
    who,
    summary: 'The recurring tasks of the service',
    out: TaskOut,
  }).handledBy(({ page }, { systemTasks }) => wirePage(systemTasks.list(page), toWire)),
  runTask: post('/tasks/:name/run', {
    who,
    summary: 'Run a task now',
    out: TaskOut,
    message: 'Task ended',
  }).handledBy(async ({ caller, params }, { systemTasks }) => {
    const task = await systemTasks.run(caller, params.name)
    return answer(toWire(task), task.isRunning ? { message: 'Task is still running' } : {})
  }),
})
