// What a message does to the alert of a platform, and how urgent it is.
import t from 'tap'
import type { Payload } from '../../../src/channels/model/message.ts'
import {
  alertActionOf,
  factTable,
  platformOutcome,
  urgencyOf,
} from '../../../src/channels/on-call/platform-alert.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const messageOf = (name: string) => messageFrom(samplePayloads[name] as Payload)

t.test('each kind of message opens, updates, acknowledges or closes', async (t) => {
  const found = Object.keys(samplePayloads).map((name) => [name, alertActionOf(messageOf(name))])
  t.match(Object.fromEntries(found), {
    opened: 'open',
    degraded: 'open',
    reminder: 'open',
    updated: 'update',
    acknowledged: 'acknowledge',
    resolved: 'close',
    certificate: 'open',
    domain: 'open',
    channelFailing: 'open',
    systemNotice: 'open',
    test: 'open',
  })
  t.equal(alertActionOf({ news: 'notice', tone: 'good' }), 'close', 'trouble that is over')
  t.equal(alertActionOf({ news: 'resolved', tone: 'warning' }), 'close', 'closed by hand')
})

t.test('the urgency stays the same through an incident', async (t) => {
  for (const name of ['opened', 'reminder', 'updated', 'acknowledged', 'resolved']) {
    t.equal(urgencyOf(messageOf(name)), 'critical', name)
  }
  for (const name of ['degraded', 'certificate', 'domain', 'channelFailing', 'systemNotice']) {
    t.equal(urgencyOf(messageOf(name)), 'warning', name)
  }
  t.equal(urgencyOf(messageOf('test')), 'info')
  t.equal(urgencyOf(messageOf('digest')), 'critical')
})

t.test('times in a table of facts name their zone', async (t) => {
  t.match(factTable(messageOf('opened'), 10), { Cause: 'expected …', Started: /1970.* UTC/ })
})

t.test('an answer that another program gave is no delivery', async (t) => {
  const rules = { platform: 'X', accepted: 202 }
  const answer = (status: number) => ({ kind: 'answered', status, headers: {}, body: '' }) as const
  t.match(platformOutcome(answer(202), 0, rules), { ok: true })
  t.match(platformOutcome(answer(200), 0, rules), { ok: false, mayRetry: true })
  t.match(platformOutcome(answer(410), 0, rules), { ok: false, disablesChannel: true })
})
