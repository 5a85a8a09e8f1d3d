// A letter that is owed: when it comes again, and what is left of it at its end.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { attemptedLetter, queuedLetter } from '../../../src/domain/letters/queued-letter.ts'
import { limits } from '../../../src/domain/limits/limits.ts'

const nowMs = Date.UTC(2026, 0, 1)
const owed = queuedLetter(
  { id: newId('letter', nowMs), recipientHash: 'h', sealed: 'sealed', messageId: '<a@b.test>' },
  nowMs,
)
const putOff = { ok: false, mayRetry: true, reason: 'later' } as const

t.test('it is due at once, for a day', async (t) => {
  t.match(owed, { state: 'pending', attempts: 0, dueAtMs: nowMs, endedAtMs: null })
  t.equal(owed.giveUpAtMs, nowMs + limits.deliveryAgeMsMax)
})

t.test('its content is kept while it may still be sent, and no longer', async (t) => {
  const later = attemptedLetter(owed, putOff, nowMs, 0.5)
  t.match(later, { state: 'pending', sealed: 'sealed', dueAtMs: nowMs + 5_000, lastError: 'later' })
  t.match(attemptedLetter(later, putOff, nowMs, 0.5), { attempts: 2, dueAtMs: nowMs + 30_000 })
  t.match(attemptedLetter(later, { ok: true }, nowMs + 5_000, 0.5), {
    state: 'sent',
    sealed: null,
    endedAtMs: nowMs + 5_000,
    lastError: null,
    attempts: 2,
  })
  const refused = { ok: false, mayRetry: false, reason: 'no' } as const
  t.match(attemptedLetter(owed, refused, nowMs, 0.5), {
    state: 'dead',
    sealed: null,
    endedAtMs: nowMs,
    lastError: 'no',
  })
  t.match(attemptedLetter(owed, putOff, owed.giveUpAtMs, 0.5), { state: 'dead', sealed: null })
})
