// What a page sends where somebody accepts what a check found.
import t from 'tap'
import { acceptedChange } from '../../../src/console/pages/monitors/accepted-change.ts'

const unchanged = (value: string) =>
  ({ source: 'body', path: null, type: 'unchanged', value }) as const
const status = { source: 'status', path: null, type: 'equals', value: '200' } as const
const found = 'AAAA new'

t.test('the assertion gets the new value, and no other one', async (t) => {
  const assertions = [unchanged('a'), status, unchanged('b')]
  const changed = acceptedChange({ assertions }, { steps: [] }, 2, found)
  t.same(changed, { assertions: [unchanged('a'), status, unchanged(found)] })
})

t.test('of a monitor with steps, that of the step that failed', async (t) => {
  const step = (name: string, isCleanUp: boolean) =>
    ({ name, url: '/', isCleanUp, assertions: [status, unchanged(name)] }) as never
  const steps = [step('Sign out', true), step('Sign in', false), step('Look', false)]
  const report = (name: string, outcome: string) => ({ name, outcome }) as never
  const monitor = { assertions: [status, unchanged('all')], steps }
  const failed = [report('Sign in', 'good'), report('Look', 'failed'), report('Sign out', 'good')]
  t.match(acceptedChange(monitor, { steps: failed }, 1, found), {
    steps: [steps[0], steps[1], { name: 'Look', url: '/', assertions: [status, unchanged(found)] }],
  })
  const good = failed.map((one) => ({ ...(one as object), outcome: 'good' }) as never)
  const whole = acceptedChange(monitor, { steps: good }, 1, found)
  t.same(whole, { assertions: [status, unchanged(found)] }, 'where no step failed, its own')
})
