// The way through redirects: what is followed, and what is told of it.
import t from 'tap'
import { hopFor } from '../../../src/net/http-client/plan.ts'
import { RedirectReport } from '../../../src/probes/run/redirect-report.ts'
import { redactorFor } from '../../../src/redaction/redaction.ts'
import { makeTarget } from '../../support/make-target.ts'

const target = makeTarget({ url: 'https://a.example/', maxRedirects: 2 })
const start = hopFor(target, new URL(target.url))

t.test('a chain is followed until it loops, or is too long', async (t) => {
  const report = new RedirectReport(target.maxRedirects, redactorFor(target))
  const { hop } = report.follow(start, 302, '/b?sig=x', false)
  if (hop === undefined) throw new Error('not followed')
  t.same(report.shown(false), { url: 'https://a.example/b?sig=••••', redirects: 1 })
  const back = report.follow(hop, 302, '/', false).failure
  t.match(back, { kind: 'redirect_loop', detail: 'https://a.example/' })
  const long = report.follow(hop, 302, `/${'c'.repeat(400)}`, false).failure
  t.match(long, { kind: 'redirect_loop', message: 'more than 2 redirects in a row' })
  t.equal(long?.detail?.length, 160)
  const { failure } = report.follow(hop, 302, 'http://a.example/', false)
  t.match(failure, { kind: 'blocked', detail: 'http://a.example/' })
})

t.test('words of one hidden target stay hidden after further redirects', async (t) => {
  const report = new RedirectReport(target.maxRedirects, redactorFor(target))
  report.follow(start, 302, '/b', true)
  report.follow(start, 302, '/c', false)
  t.same(report.shown(false), { redirects: 2 })
})
