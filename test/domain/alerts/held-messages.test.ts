// What quiet hours hold, and what they have just let out.
import t from 'tap'
import type { Delivery } from '../../../src/domain/alerts/delivery.ts'
import { heldAmong, heldUntilMs, quietView } from '../../../src/domain/alerts/held-messages.ts'
import type { QuietHours } from '../../../src/domain/alerts/quiet-hours.ts'
import { incidentA, incidentB, makeDelivery } from '../../support/make-incident.ts'

const hourMs = 3_600_000
const nightMs = Date.UTC(2026, 0, 10, 23)
const morningMs = nightMs + 8 * hourMs
const night: QuietHours = { timezone: 'UTC', from: '22:00', to: '07:00' }
const open: QuietHours = { ...night, allowDown: true }

const about = (severity: string, delivery: Partial<Delivery> = {}) =>
  makeDelivery(
    { payloadJson: JSON.stringify({ data: { incident: { severity } } }), nowMs: nightMs },
    delivery,
  )
const digestOf = (...severities: string[]) =>
  makeDelivery({
    event: 'incident.digest',
    incidentId: null,
    payloadJson: JSON.stringify({
      data: { incidents: severities.map((severity) => ({ severity })) },
    }),
    nowMs: nightMs,
  })

t.test('at night everything is held until the morning, by day nothing', async (t) => {
  t.equal(heldUntilMs(about('down'), night, nightMs), morningMs)
  t.equal(heldUntilMs(about('down'), night, morningMs), null)
  t.equal(heldUntilMs(about('down'), null, nightMs), null)
  t.equal(heldUntilMs(about('down', { state: 'delivered' }), night, nightMs), null)
})

t.test('outages may pass, and a digest that contains one', async (t) => {
  const { isHeld, mayLetOut } = quietView(open, nightMs)
  t.equal(mayLetOut, true)
  t.equal(isHeld(about('down')), false)
  t.equal(isHeld(about('degraded')), true)
  t.equal(isHeld(digestOf('degraded', 'down')), false)
  t.equal(isHeld(digestOf('degraded')), true)
  const notice = makeDelivery({ event: 'certificate.expiring', incidentId: null, nowMs: nightMs })
  t.equal(isHeld(notice), true)
})

t.test('news that passes takes earlier news of its incident along', async (t) => {
  const slow = about('degraded')
  const down = about('down', { event: 'incident.updated' })
  const other = about('degraded', { incidentId: incidentB })
  t.equal(slow.incidentId, incidentA)
  t.same([...heldAmong([slow, other, down], quietView(open, nightMs))], [other])
  t.same([...heldAmong([slow, other], quietView(open, nightMs))], [slow, other])
  t.same([...heldAmong([slow, other], quietView(open, morningMs))], [])
})

t.test('in the morning it is known what was held', async (t) => {
  const { wasHeld, untilMs } = quietView(night, morningMs)
  t.equal(untilMs, null)
  t.equal(wasHeld(about('down')), true)
  t.equal(wasHeld(about('down', { createdAtMs: morningMs, dueAtMs: morningMs })), false)
  t.equal(
    wasHeld(about('down', { createdAtMs: 0, dueAtMs: nightMs })),
    true,
    'its delay ended then',
  )
  t.equal(wasHeld(about('down', { lastAtMs: nightMs })), false, 'it may have been sent before')
  t.equal(quietView(open, morningMs).wasHeld(about('down')), false, 'it could have passed')
  t.equal(quietView(night, nightMs).wasHeld(about('down')), false, 'it is still held')
})
