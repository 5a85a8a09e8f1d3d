// Revisions: nobody overwrites a change that they have not seen.
import t from 'tap'
import { mustBeAt } from '../../src/services/revision.ts'

t.test('a change of an older version is refused, with the name of the object', async (t) => {
  const stale = () => mustBeAt(1, { revision: 2 }, 'The status page')
  const detail = 'The status page was changed in the meantime.'
  t.throws(stale, { code: 'precondition_failed', status: 412, message: detail })
})

t.test('a change of the newest state passes, and so does one without a condition', async (t) => {
  t.doesNotThrow(() => mustBeAt(2, { revision: 2 }, 'The status page'))
  t.doesNotThrow(() => mustBeAt(undefined, { revision: 2 }, 'The status page'))
})
