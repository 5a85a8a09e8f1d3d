// The words that explain each problem.
import t from 'tap'
import { type FaultCode, faults } from '../../../src/base/fault.ts'
import { problemGuide } from '../../../src/http/output/problem-guide.ts'

t.test('every problem is explained: what happened, what to do, an example', async (t) => {
  for (const code of Object.keys(faults) as FaultCode[]) {
    const { meaning, remedy, detail, instance, errors } = problemGuide[code]
    for (const words of [meaning, remedy]) {
      t.match(words, /^[A-Z].+\.$/s, code)
      t.ok(words.length < 250, `${code} is explained in a few sentences`)
    }
    t.ok(detail.length > 0 && detail.length < 100, code)
    t.match(instance, /^\/api\/v1\//)
    t.equal(errors !== undefined, /^(validation_failed|target_not_allowed)$/.test(code), code)
  }
})
