// The names of tasks: operators start a task by its name, so that each has its own.
import t from 'tap'
import { taskNames } from '../../../src/domain/system/task-names.ts'

t.test('each task has a name of its own that fits into an address', async (t) => {
  t.equal(new Set(taskNames).size, taskNames.length)
  t.same(
    taskNames.filter((name) => encodeURIComponent(name) !== name),
    [],
  )
})
