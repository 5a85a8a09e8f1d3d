// A message in words: what a person reads of it.
import t from 'tap'
import { type Message, messageText, type Payload, payloadOf } from '../../src/channels/message.ts'
import { certificatePayload, incidentPayload } from '../../src/domain/alerts/payload.ts'
import { makeIncident } from '../support/make-incident.ts'
import { makeMonitor } from '../support/make-page.ts'

const base = 'https://up.test'
const payloadFor = (event: 'incident.opened' | 'incident.resolved' | 'incident.reminder') =>
  incidentPayload(event, makeIncident(), [], 61_000, base)

t.test('an incident is told with its cause, its beginning and where to look', async (t) => {
  const { title, text } = messageText(payloadFor('incident.opened'))
  t.equal(title, 'API is down')
  t.match(text, /timeout: no answer.*\nSince 1970-01-01T00:00:01.000Z\.\nhttps:\/\/up\.test\//)
  t.equal(messageText(payloadFor('incident.resolved')).title, 'Resolved: API is down')
  t.equal(messageText(payloadFor('incident.reminder')).title, 'Reminder: API is down')
})

t.test('a digest names the first few and counts the rest', async (t) => {
  const { incident } = payloadFor('incident.opened').data
  const payload: Payload = {
    type: 'incident.digest',
    timestamp: '1970-01-01T00:00:01.000Z',
    data: { orgId: 'org', incidents: Array(15).fill(incident), incidentsTotal: 40 },
  }
  const { title, text } = messageText(payload)
  t.equal(title, '40 incidents opened')
  t.equal(text.split('\n').length, 11)
  t.match(text, /API is down \(open\)\n.*and 30 more$/s)
})

t.test('a notice about a certificate says how long, until when, and where to look', async (t) => {
  const monitor = { ...makeMonitor({ name: 'Shop' }), url: 'https://shop.test/?token=hidden' }
  const textFor = (daysLeft: number) => {
    const certificate = { expiresAtMs: 86_400_000 * daysLeft, issuer: 'Test CA' }
    const notice = { certificate, daysLeft, thresholdDays: 7 }
    return messageText(certificatePayload(monitor, notice, 0, base))
  }
  const { title, text } = textFor(5)
  t.equal(title, 'The certificate of Shop expires in 5 days')
  t.match(
    text,
    /^It is valid until 1970-01-06T00:00:00.000Z. Its issuer: Test CA\.\nhttps:\/\/up\.test\//,
  )
  t.notMatch(text, /hidden/)
  t.match(textFor(1).title, /in 1 day$/)
  t.match(textFor(0).title, /in less than a day$/)
})

t.test('a test names its channel', async (t) => {
  const message: Message = {
    id: 'msg_1',
    event: 'channel.test',
    payloadJson: JSON.stringify({
      type: 'channel.test',
      timestamp: '1970-01-01T00:00:01.000Z',
      data: { orgId: 'org', channel: { id: 'chn', name: 'Pager' } },
    }),
  }
  t.equal(messageText(payloadOf(message)).title, 'Test of Pager')
})
