// The way through redirects: what is followed, and what is told of it.
import t from 'tap'
import { planFor } from '../../../src/net/http/plan.ts'
import { Trail } from '../../../src/probes/http/redirect-chain.ts'
import { redactorFor } from '../../../src/redaction/redaction.ts'
import { makeTarget } from '../../support/make-target.ts'

const target = makeTarget({ url: 'https://a.example/', maxRedirects: 2 })
const start = planFor(target)
const from = ['192.0.2.1']

t.test('a way is followed until it turns back, or is too long', async (t) => {
  if (start.problem !== undefined) throw new Error(start.problem)
  const trail = new Trail(target, {}, redactorFor(target))
  const { hop } = trail.follow(start.hop, 302, '/b?sig=x', from)
  if (hop === undefined) throw new Error('not followed')
  t.same(trail.told(false), { url: 'https://a.example/b?sig=••••', redirects: 1 })
  const back = trail.follow(hop, 302, '/', from).failure
  t.match(back, { kind: 'redirect_loop', detail: 'https://a.example/' })
  const long = trail.follow(hop, 302, `/${'c'.repeat(400)}`, from).failure
  t.match(long, { kind: 'redirect_loop', message: 'more than 2 redirects in a row' })
  t.equal(long?.detail?.length, 160)
  const { failure } = trail.follow(hop, 302, 'http://a.example/', from)
  t.match(failure, { kind: 'blocked', detail: 'http://a.example/' })
})

t.test('what one hidden target said stays hidden further on', async (t) => {
  if (start.problem !== undefined) throw new Error(start.problem)
  const trail = new Trail(target, { hidesPrivate: () => true }, redactorFor(target))
  trail.follow(start.hop, 302, '/b', ['10.0.0.1'])
  trail.follow(start.hop, 302, '/c', ['1.1.1.1'])
  t.same(trail.told(false), { redirects: 2 })
})
