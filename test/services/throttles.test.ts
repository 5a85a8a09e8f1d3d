// Sign-in under guessing: it gets slow for strangers, and never locks the owner out.
import t from 'tap'
import { Fault } from '../../src/base/fault.ts'
import { createLimiter } from '../../src/base/limiter.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { createDeviceSeal } from '../../src/seal/device.ts'
import { createDevices } from '../../src/services/sign-in/devices.ts'
import {
  createThrottles,
  isWrongGuess,
  wrongPasswords,
  wrongProofs,
} from '../../src/services/throttles.ts'
import { callerOf, goodPassword, openAccess } from '../support/access.ts'
import { FakeClock } from '../support/fake-clock.ts'

const anybody = callerOf()
const alice = { email: 'alice@example.com', password: goodPassword }
const wrong = { code: 'invalid_credentials' }
const tooMany = { code: 'rate_limited' }
const guesses = wrongPasswords.quota

t.test('after twenty wrong passwords strangers wait, known or not', async (t) => {
  const { people, enrol, clock } = openAccess(t)
  await enrol('alice')
  const answers: string[] = []
  for (const email of [alice.email, 'nobody@example.com']) {
    const guess = () => people.signIn(anybody, { email, password: 'a guess of mine' })
    for (let n = 0; n < guesses; n += 1) await t.rejects(guess(), wrong)
    const told = await guess().catch(({ code, message, headers }) => ({ code, message, headers }))
    answers.push(JSON.stringify(told))
  }
  t.match(answers[0], /rate_limited.*Retry-After/)
  t.equal(answers[0], answers[1], 'it does not tell who has an account')
  const spelled = { ...alice, email: ' Alice@EXAMPLE.com ' }
  await t.rejects(people.signIn(anybody, spelled), tooMany, 'in any spelling')
  await clock.advance((wrongPasswords.windowSeconds * 1_000) / guesses)
  t.ok(await people.signIn(anybody, alice), 'each one grows back by itself')
})

t.test('right passwords are not counted', async (t) => {
  const { people, enrol } = openAccess(t)
  await enrol('alice')
  for (let n = 0; n < guesses + 5; n += 1) await people.signIn(anybody, alice)
  for (let n = 0; n < guesses - 1; n += 1) {
    await t.rejects(people.signIn(anybody, { ...alice, password: 'a guess of mine' }), wrong)
  }
  t.ok(await people.signIn(anybody, alice))
})

t.test('many guesses at once are no more than one after the other', async (t) => {
  const { people, enrol } = openAccess(t)
  await enrol('alice')
  const tried = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) => {
      return people.signIn(anybody, { ...alice, password: `guess number ${n}` })
    }),
  )
  const codes = tried.map((one) => (one.status === 'rejected' ? one.reason.code : 'let in'))
  t.equal(codes.filter((code) => code === 'invalid_credentials').length, guesses)
  t.equal(codes.filter((code) => code === 'rate_limited').length, 40 - guesses)
})

t.test('a known device is counted apart: guessers cannot keep its owner out', async (t) => {
  const { people, devices, enrol } = openAccess(t)
  const { user } = await enrol('alice')
  const bob = await enrol('bob')
  const device = devices.mint(user.id)
  const guess = (more: object) =>
    people.signIn(anybody, { ...alice, password: 'a guess of mine', ...more })
  for (let n = 0; n < guesses; n += 1) await t.rejects(guess({}), wrong)
  await t.rejects(people.signIn(anybody, alice), tooMany)
  t.ok(await people.signIn(anybody, { ...alice, device }))
  const others = [
    devices.mint(bob.user.id),
    `${device.slice(0, -1)}${device.endsWith('A') ? 'B' : 'A'}`,
    'd1.x',
    '',
  ]
  for (const other of others) {
    await t.rejects(people.signIn(anybody, { ...alice, device: other }), tooMany)
  }
  for (let n = 0; n < guesses; n += 1) await t.rejects(guess({ device }), wrong)
  await t.rejects(guess({ device }), tooMany, 'it has no more tries than anybody')
})

t.test('a device mark ends after a year, and is bound to key and person', async (t) => {
  const { core, devices, enrol, clock } = openAccess(t)
  const { user } = await enrol('alice')
  const device = devices.mint(user.id)
  t.match(devices.keyFor(device, 'ALICE@example.com'), /^device /)
  t.equal(devices.keyFor(device, 'bob@example.com'), undefined)
  const foreign = createDevices(core, { deviceSeal: createDeviceSeal(Buffer.alloc(32)) })
  t.equal(foreign.keyFor(device, alice.email), undefined)
  await clock.advance(limits.knownDeviceMs - 1_000)
  t.ok(devices.keyFor(device, alice.email))
  await clock.advance(1_000)
  t.equal(devices.keyFor(device, alice.email), undefined)
})

t.test('unjudged attempts are given back; switched off, only failures are counted', async (t) => {
  const clock = new FakeClock()
  const limiter = (_name: string, policy: Parameters<typeof createLimiter>[0]) =>
    createLimiter(policy, 100)
  const throttles = createThrottles({ clock, limiter, isOn: () => true })
  const busy = () => Promise.reject(new Error('the queue is full'))
  for (let n = 0; n < 50; n += 1) {
    await t.rejects(throttles.countFailures('wrongProofs', 'k', busy, isWrongGuess), /queue/)
  }
  const off = createThrottles({ clock, limiter, isOn: () => false })
  for (let n = 0; n < 50; n += 1) off.take('registrations', 'k')
  t.ok(off.mayTake('registrations', 'k'))
  const wrongGuess = () => Promise.reject(new Fault('invalid_credentials'))
  for (let n = 0; n < wrongProofs.quota; n += 1) {
    await t.rejects(off.countFailures('wrongProofs', 'k', wrongGuess, isWrongGuess), wrong)
  }
  const more = off.countFailures('wrongProofs', 'k', wrongGuess, isWrongGuess)
  await t.rejects(more, tooMany, 'guesses stay limited')
})
