// Cases on their way to the provider: sent once, again where it fails, and never lost by a crash.
import t, { type Test } from 'tap'
import {
  startVerificationQueue,
  type VerificationQueue,
} from '../../../src/actors/tasks/verification-queue.ts'
import type { CaseToVerify, ProviderAnswer } from '../../../src/kyc/provider.ts'
import { callerOf } from '../../support/access.ts'
import { openKyc } from '../../support/kyc.ts'
import { fullFields, person } from '../../support/kyc-person.ts'
import { settle } from '../../support/temp-store.ts'

const down: ProviderAnswer = { kind: 'failed', reason: 'It is down.' }
const verdict = (status: 'approved' | 'rejected' | 'in_review'): ProviderAnswer => ({
  kind: 'answered',
  verdict: { status, reason: null },
})

function open(t: Test) {
  const world = openKyc(t, { provider: 'http' })
  const { store, clock, vault, cases } = world
  const sent: CaseToVerify[] = []
  const logged: string[] = []
  const waiting: ((answer: ProviderAnswer) => void)[] = []
  const script: ProviderAnswer[] = []

  /** A daemon's life: it is told of what is owed when it starts. */
  function start(): VerificationQueue {
    const log = (message: string) => void logged.push(message)
    const actor = startVerificationQueue({
      store,
      clock,
      random: () => 0.5,
      open: vault.open,
      log: { debug: log, info: log, warn: log, error: log } as never,
      send(one, signal) {
        sent.push(one)
        const answer = script.shift()
        if (answer) return Promise.resolve(answer)
        return new Promise((resolve) => {
          waiting.push(resolve)
          signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'Cut off.' }))
        })
      },
      conclude: (tx, verification, { status, reason }) =>
        void cases.move(tx, verification, { state: status, reason }, { because: 'provider' }),
    })
    actor.start()
    return actor
  }
  const stateOf = (one: CaseToVerify | undefined) =>
    one && store.verifications.find(one.verification.id)
  const release = (answer: ProviderAnswer) => waiting.shift()?.(answer)
  return { ...world, start, sent, script, stateOf, release, actorLog: logged }
}

t.test('a case is sent at once, and its verdict decides it', async (t) => {
  const { kyc, enrol, start, sent, script, stateOf, told, logged } = open(t)
  const { caller } = await enrol('mina')
  await kyc.submit(caller, fullFields)
  script.push(verdict('approved'))
  const actor = start()
  await settle()
  t.match(sent, [{ fields: fullFields }])
  t.match(stateOf(sent[0]), { state: 'approved', sending: null })
  t.match(told(), [{ to: 'mina@example.com', subject: /verified/ }])
  t.match(logged().at(-1), { action: 'verification.approved', by: 'daemon', detail: 'provider' })
  await actor.stop()
})

t.test('if the provider is down, the case is sent again under the same id', async (t) => {
  const { kyc, enrol, clock, start, sent, script, stateOf } = open(t)
  await kyc.submit((await enrol('mina')).caller, person)
  script.push(down, down, verdict('in_review'))
  const actor = start()
  await settle()
  t.equal(sent.length, 1)
  t.match(stateOf(sent[0]), { state: 'pending', sending: { attempts: 1, problem: 'It is down.' } })
  await clock.advance(4_999)
  await settle()
  t.equal(sent.length, 1)
  await clock.advance(1)
  await settle()
  t.equal(sent.length, 2)
  await clock.advance(30_000)
  await settle()
  t.equal(sent.length, 3)
  t.equal(new Set(sent.map(({ verification }) => verification.id)).size, 1)
  t.match(stateOf(sent[0]), { state: 'in_review', sending: null })
  await clock.advance(86_400_000)
  await settle()
  t.equal(sent.length, 3, 'what was answered is not sent again')
  await actor.stop()
})

t.test('cases in progress at a crash are sent again at the next start', async (t) => {
  const { kyc, enrol, start, sent, script, stateOf, release } = open(t)
  await kyc.submit((await enrol('mina')).caller, person)
  start()
  await settle()
  t.equal(sent.length, 1)
  // The first life is simply left: nothing of it was written.
  script.push(verdict('approved'))
  const second = start()
  await settle()
  t.equal(sent.length, 2)
  t.equal(sent[0]?.verification.id, sent[1]?.verification.id)
  t.match(stateOf(sent[0]), { state: 'approved' })
  release(verdict('rejected'))
  await settle()
  t.match(stateOf(sent[0]), { state: 'approved' }, 'a late answer changes nothing')
  await second.stop()
})

t.test('a case that is decided or erased while it is sent stays so', async (t) => {
  const { kyc, kycReview, enrol, start, sent, stateOf, release } = open(t)
  const [ada, bea] = [await enrol('ada'), await enrol('bea')]
  await kyc.submit(ada.caller, person)
  const second = await kyc.submit(bea.caller, person)
  const actor = start()
  await settle()
  t.equal(sent.length, 2)
  await kyc.erase(ada.caller)
  await kycReview.decide(callerOf({ kind: 'system' }), second.id, { decision: 'reject' })
  release(verdict('approved'))
  release(down)
  await settle()
  t.match(stateOf(sent[0]), { state: 'expired', sending: null })
  t.match(stateOf(sent[1]), { state: 'rejected', sending: null })
  await actor.stop()
})

t.test('few cases are sent at once, and all of them eventually', async (t) => {
  const { kyc, enrol, start, sent, release, store } = open(t)
  for (let n = 0; n < 7; n += 1) await kyc.submit((await enrol(`user${n}`)).caller, person)
  const actor = start()
  await settle()
  t.equal(sent.length, 4)
  for (let n = 0; n < 7; n += 1) {
    release(verdict('approved'))
    await settle()
  }
  t.equal(sent.length, 7)
  t.equal(store.verifications.list({ state: 'approved', limit: 10 }).length, 7)
  t.equal(store.verifications.owed(10).length, 0)
  await actor.stop()
})

t.test('after a day a person must decide, and the log says so', async (t) => {
  const { kyc, enrol, clock, start, sent, script, stateOf, actorLog } = open(t)
  await kyc.submit((await enrol('mina')).caller, person)
  for (let n = 0; n < 50; n += 1) script.push(down)
  const actor = start()
  await settle()
  while (clock.nextInMs !== undefined) {
    await clock.advance(clock.nextInMs)
    await settle()
  }
  t.match(stateOf(sent[0]), { state: 'pending', sending: { dueAtMs: null } })
  t.match(actorLog, ['the provider could not be reached: decide this case manually'])
  await actor.stop()
})

t.test('a stop waits for cases in progress, but not forever', async (t) => {
  const { kyc, enrol, clock, start, sent, stateOf, release } = open(t)
  const { caller } = await enrol('mina')
  await kyc.submit(caller, person)
  const first = start()
  await settle()
  const stopped = first.stop()
  release(verdict('in_review'))
  await stopped
  t.match(stateOf(sent[0]), { state: 'in_review' })

  await kyc.erase(caller)
  await kyc.submit(caller, person)
  first.start()
  await settle()
  t.equal(sent.length, 1, 'who is stopped sends nothing')
  const second = start()
  await settle()
  const cut = second.stop()
  await clock.advance(5_000)
  await cut
  t.match(stateOf(sent[1]), { state: 'pending', sending: { attempts: 0 } }, 'it is owed as before')
})
