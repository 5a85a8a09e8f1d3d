// The parameters of public documents.
import t from 'tap'
import { pageParameters } from '../../../../src/http/public/pages/page-parameters.ts'

const spec = { metric: ['state', 'uptime'], theme: ['auto', 'light', 'dark'] } as const

t.test('a missing parameter has its first value', async (t) => {
  t.same(pageParameters('', spec), { metric: 'state', theme: 'auto' })
  t.same(pageParameters('theme=dark', spec), { metric: 'state', theme: 'dark' })
  t.same(pageParameters('metric=%75ptime&', spec), { metric: 'uptime', theme: 'auto' })
})

t.test('another name, another value and a second value have no document', async (t) => {
  for (const query of [
    'metric=latency',
    'metric=',
    'metric',
    'metrics=uptime',
    'metric=state&metric=uptime',
    'metric=state&metric=state',
    '__proto__=1',
    'toString=1',
    'metric=%',
    'metric=%ff',
  ]) {
    t.equal(pageParameters(query, spec), undefined, query)
  }
})

t.test('a text has a bound, and may be missing', async (t) => {
  const label = { label: { charsMax: 5 } }
  t.same(pageParameters('', label), { label: null })
  t.same(pageParameters('label=', label), { label: '' })
  t.same(pageParameters('label=a+b', label), { label: 'a b' })
  t.equal(pageParameters('label=123456', label), undefined)
})
