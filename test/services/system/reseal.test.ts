// After a new master key everything opens with it alone, and nothing else has changed.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ImportId, LetterId, OrgId, UserId, VerificationId } from '../../../src/base/ids.ts'
import type { Channel } from '../../../src/domain/alerts/channel.ts'
import { attemptedLetter, queuedLetter } from '../../../src/domain/letters/queued-letter.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { type Box, createBox, SealBroken } from '../../../src/seal/box.ts'
import { createEnvelopes } from '../../../src/seal/envelope.ts'
import { openKeyring } from '../../../src/seal/keyring.ts'
import { createKycVault } from '../../../src/services/identity-verification/kyc-vault.ts'
import { newSecret } from '../../../src/services/secrets/secrets.ts'
import { proveKey } from '../../../src/services/system/key-proof.ts'
import { createReseal, resealCharsMax, resealSlice } from '../../../src/services/system/reseal.ts'
import type { Tx } from '../../../src/store/engine/write.ts'
import { type Logged, recordingLog } from '../../support/http.ts'
import { person } from '../../support/kyc-person.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'
import { makeProbe } from '../../support/make-probe.ts'
import { makeSubscriber } from '../../support/make-subscriber.ts'
import { settled } from '../../support/monitor-world.ts'
import { openTempStore } from '../../support/temp-store.ts'

const userId = 'usr_01k0000000000000000000000a' as UserId
const importId = 'imp_01k0000000000000000000000a' as ImportId
const orgB = 'org_01k0000000000000000000000b' as OrgId
const sayDone = 'secrets are sealed with the newest key'
const keyLine = () => randomBytes(32).toString('hex')
const verificationNo = (number: number) => `ver_${number}` as VerificationId

/** A store, and the daemon's parts as they are with the lines of a key file. */
function open(t: Test) {
  const world = openTempStore(t, { inMemory: true })
  const { store, clock } = world
  const file = join(t.testdir(), 'master.key')
  const logged: Logged[] = []

  function startedWith(...lines: readonly string[]) {
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    const keyring = openKeyring({ file, create: false, random: randomBytes })
    const box = createBox(keyring)
    const vault = createKycVault({ store, envelopes: createEnvelopes(keyring) })
    const hasOlderKeys = keyring.hasOlder
    const log = recordingLog(logged)
    const reseal = createReseal({ store, clock, log, box }, { vault, hasOlderKeys })
    return { box, vault, reseal, run: () => settled(store, reseal.run()) }
  }

  const [old, fresh] = [keyLine(), keyLine()]
  /** How a start with these keys goes. */
  const proven = (box: Box) => proveKey(store, box, clock)
  return { ...world, old, fresh, startedWith, proven, logged }
}

type World = ReturnType<typeof open>

const addMonitors = ({ store }: World, monitors: readonly Monitor[]) =>
  store.write((tx) => {
    for (const monitor of monitors) store.monitors.put(tx, monitor)
  })

/** One of everything that is sealed; returns each place with what lies in it. */
async function fill(world: World, { box, vault }: ReturnType<World['startedWith']>) {
  const { store, clock } = world
  const nowMs = clock.nowMs()
  await world.proven(box)
  await addMonitors(world, [
    makeMonitor({ requestBox: box.seal('request'), revision: 7 }),
    makeMonitor({
      id: monitorNo(2),
      checkType: 'push',
      orgId: orgB,
      pushTokenHash: 'token-hash',
      pushTokenBox: box.seal('push token'),
    }),
    makeMonitor({ id: monitorNo(3) }),
  ])
  const letter = { recipientHash: 'someone', messageId: '<m@x>' }
  const owed = { ...letter, id: 'let_1' as LetterId, sealed: box.seal('letter') }
  const sent = { ...letter, id: 'let_2' as LetterId, sealed: box.seal('gone') }
  await store.write((tx) => {
    store.channels.put(tx, makeChannel({ secretsBox: box.seal('signing secret'), revision: 3 }))
    store.factors.put(tx, {
      userId,
      sealedSecret: box.seal('totp secret'),
      createdAtMs: 1,
      confirmedAtMs: 2,
      lastStep: 3,
      recoveryHashes: ['a', 'b'],
    })
    store.letters.put(tx, queuedLetter(owed, nowMs))
    store.letters.put(tx, attemptedLetter(queuedLetter(sent, nowMs), { ok: true }, nowMs, 0))
    store.subscribers.put(tx, makeSubscriber({ addressBox: box.seal('address') }))
    const former = [{ authHash: 'auth 1', sealBox: box.seal('former key'), untilMs: nowMs }]
    store.probes.put(tx, makeProbe({ sealBox: box.seal('key of a probe'), former }), nowMs)
    const secret = newSecret({ box }, orgB, { name: 'TOKEN', value: 'secret of steps' }, nowMs)
    store.orgSecrets.put(tx, secret)
    store.replays.put(tx, {
      owner: 'usr_a',
      keyHash: 'key',
      bodyHash: 'body',
      expiresAtMs: nowMs + 1,
      sealedAnswer: box.seal('answer'),
    })
    const setup = { sealed: box.seal('setup token'), hash: 'hash', createdAtMs: 4 }
    store.secrets.put(tx, 'setup-token', setup)
    store.secrets.put(tx, 'report-key', { ...setup, sealed: box.seal('report key') })
    const settings = { sealed: box.seal('mail server'), updatedAtMs: 5, revision: 2 }
    store.consoleSettings.put(tx, settings)
    vault.keep(tx, { userId, id: verificationNo(1) }, { fields: person, reason: null })
    const line = { name: 'Before', origin: null, action: 'change', fields: [] } as const
    const steps = [
      {
        line: { ...line, list: 'monitors', id: 'mon_1' } as const,
        before: { ...makeMonitor({ requestBox: box.seal('request of before') }) },
      },
      {
        line: { ...line, list: 'channels', id: 'chn_1' } as const,
        before: { ...makeChannel({ secretsBox: box.seal('secret of before') }) },
      },
      { line: { ...line, list: 'secrets', id: 'sec_1' } as const, before: { ...secret } },
      { line: { ...line, list: 'templates', id: 'tpl_1' } as const, before: { name: 'T' } },
    ]
    store.imports.addSteps(tx, { orgId: orgB, id: importId }, 0, steps)
  })
}

/** Every record that holds something sealed. */
function recordsOf({ store }: World) {
  return {
    monitors: store.monitors.slice(100),
    channels: store.channels.slice(100),
    factors: store.factors.slice(100),
    letters: store.letters.slice(100),
    subscribers: store.subscribers.slice(100),
    probes: store.probes.slice(100),
    orgSecrets: store.orgSecrets.slice(100),
    replays: store.replays.slice(100),
    imports: [...store.imports.steps(orgB, importId)],
    setup: store.secrets.get('setup-token'),
    reports: store.secrets.get('report-key'),
    settings: store.consoleSettings.readable(),
    proof: store.secrets.get('key-proof'),
  }
}

const isSealed = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{8}\./.test(value)

/** The records with their sealed values opened. */
const opened = (records: object, box: Box) =>
  JSON.parse(JSON.stringify(records), (_name, value) => (isSealed(value) ? box.open(value) : value))

t.test('after a pass the new key alone opens everything, and nothing else changed', async (t) => {
  const world = open(t)
  const { store, old, fresh, startedWith, logged } = world
  const before = startedWith(old)
  await fill(world, before)
  const was = opened(recordsOf(world), before.box)
  t.match(
    JSON.stringify(was),
    /request.*push token.*signing.*totp.*letter.*address.*key of a probe.*former key.*secret of steps.*answer.*setup.*report key.*mail server/,
  )

  const after = startedWith(fresh)
  await t.rejects(world.proven(after.box), /does not belong to this data/, 'too early')
  const during = startedWith(old, fresh)
  await world.proven(during.box)
  t.notOk(during.box.isCurrent(recordsOf(world).channels[0]?.secretsBox ?? ''))
  await during.run()
  await world.proven(after.box)
  t.same(opened(recordsOf(world), after.box), was)
  t.match(after.vault.open({ userId, id: verificationNo(1) }), { fields: person })
  t.throws(() => opened(recordsOf(world), before.box), SealBroken, 'the old key opens nothing')

  t.equal(store.monitors.findByPushToken('token-hash')?.monitorId, monitorNo(2))
  t.same(store.monitors.countAll(10), 3, 'nothing was counted twice')
  t.equal(store.letters.pending('someone', 10).length, 1)
  t.same(logged, [
    {
      message: sayDone,
      fields: {
        durationMs: 0,
        resealed: {
          monitors: 2,
          channels: 1,
          factors: 1,
          letters: 1,
          subscribers: 1,
          probes: 2,
          orgSecrets: 1,
          imports: 3,
          replays: 1,
          setup: 1,
          reports: 1,
          acme: 0,
          settings: 1,
          certificates: 0,
          verifications: 1,
        },
      },
    },
  ])

  const sealed = recordsOf(world)
  await startedWith(old, fresh).run()
  t.same(recordsOf(world), sealed, 'a second pass finds nothing to do')
  t.match(logged[1], { message: sayDone, fields: { resealed: { monitors: 0, letters: 0 } } })
})

t.test('with a single key nothing is read and nothing logged', async (t) => {
  const world = open(t)
  const one = world.startedWith(world.old, '# the same again', world.old)
  await fill(world, one)
  const was = recordsOf(world)
  await one.run()
  t.same(recordsOf(world), was)
  t.same(world.logged, [])
})

t.test('a key that becomes the newest again gets back what it sealed', async (t) => {
  const world = open(t)
  const { old, fresh, startedWith } = world
  await fill(world, startedWith(fresh))
  await startedWith(old, fresh, old).run()
  const after = startedWith(old)
  await world.proven(after.box)
  t.match(opened(recordsOf(world), after.box), { channels: [{ secretsBox: 'signing secret' }] })
})

t.test('an interrupted pass continues at the next start', async (t) => {
  const world = open(t)
  const { store, old, fresh, startedWith, logged } = world
  const before = startedWith(old)
  const count = 2 * resealSlice + 1
  await fill(world, before)
  await addMonitors(
    world,
    Array.from({ length: count }, (_, n) =>
      makeMonitor({ id: monitorNo(n + 1), requestBox: before.box.seal(`request ${n}`) }),
    ),
  )
  const { box } = startedWith(fresh)
  const renewed = () =>
    store.monitors.slice(10_000).filter(({ requestBox }) => requestBox && box.isCurrent(requestBox))

  const during = startedWith(old, fresh)
  const running = during.reseal.run()
  const stopped = during.reseal.stop()
  await settled(store, Promise.all([running, stopped]))
  t.equal(renewed().length, resealSlice, 'the slice under way was finished')
  await t.rejects(world.proven(box), /does not belong to this data/)
  await during.run()
  t.equal(renewed().length, resealSlice, 'what was stopped stays so')
  t.same(logged, [])

  await startedWith(old, fresh).run()
  t.equal(renewed().length, count)
  await world.proven(box)
  const done = { resealed: { monitors: count + 1 - resealSlice } }
  t.match(logged, [{ message: sayDone, fields: done }])
})

t.test('one transaction encrypts a bounded number of characters', async (t) => {
  const world = open(t)
  const { store, old, fresh, startedWith } = world
  const { box } = startedWith(old)
  await world.proven(box)
  const large = 'x'.repeat(limits.requestBodyBytesMax)
  await addMonitors(
    world,
    [1, 2, 3, 4, 5].map((n) => makeMonitor({ id: monitorNo(n), requestBox: box.seal(large) })),
  )
  const during = startedWith(old, fresh)
  const sizes: number[] = []
  const { writeSoon } = store
  const write: typeof writeSoon = (body) => {
    const before = store.monitors.slice(10)
    return writeSoon(body).then((result) => {
      const after = store.monitors.slice(10)
      const changed = after.filter((one, n) => one.requestBox !== before[n]?.requestBox)
      sizes.push(changed.reduce((sum, { requestBox }) => sum + (requestBox?.length ?? 0), 0))
      return result
    })
  }
  const watched = { ...store, writeSoon: write }
  const { core, deps } = parts(world, during)
  const reseal = createReseal({ ...core, store: watched }, deps)
  await settled(store, reseal.run())
  t.equal(sizes.length, 5)
  t.ok(sizes.every((size) => size > 0 && size <= resealCharsMax))
})

/** What a resealing of one's own making needs. */
function parts(
  { store, clock, logged }: World,
  { box, vault }: Pick<ReturnType<World['startedWith']>, 'box' | 'vault'>,
) {
  const core = { store, clock, log: recordingLog(logged), box }
  return { core, deps: { vault, hasOlderKeys: true } }
}

t.test('records that people change or delete meanwhile stay changed or deleted', async (t) => {
  const world = open(t)
  const { store, old, fresh, startedWith } = world
  const before = startedWith(old)
  await fill(world, before)
  const during = startedWith(old, fresh)
  // The slice was read, its transaction has not begun: now somebody else writes.
  const { core, deps } = parts(world, during)
  const watched = {
    ...store,
    async writeSoon<T>(body: (tx: Tx) => T) {
      await store.write((tx) => {
        const [monitor, gone] = store.monitors.slice(2)
        const [channel] = store.channels.slice(1)
        if (monitor?.revision === 7) {
          const changes = { name: 'Renamed', requestBox: during.box.seal('new'), revision: 8 }
          store.monitors.put(tx, { ...monitor, ...changes })
        }
        if (gone?.id === monitorNo(2)) store.monitors.remove(tx, gone)
        if (channel) store.channels.remove(tx, channel)
        store.factors.remove(tx, userId)
        store.secrets.remove(tx, 'setup-token')
        store.verifications.removeFields(tx, { userId, id: verificationNo(1) })
      })
      return store.writeSoon(body)
    },
  }
  const reseal = createReseal({ ...core, store: watched }, deps)
  await settled(store, reseal.run())
  const after = startedWith(fresh)
  const { monitors, channels, factors, setup } = opened(recordsOf(world), after.box)
  t.match(monitors[0], { name: 'Renamed', requestBox: 'new', revision: 8 })
  t.same([channels, factors, setup], [[], [], undefined])
  t.equal(store.verifications.fields({ userId, id: verificationNo(1) }), undefined)
  await world.proven(after.box)
})

t.test('unreadable records are reported, left as they are, and delay nothing', async (t) => {
  const world = open(t)
  const { store, old, fresh, startedWith, logged } = world
  const stranger = startedWith(keyLine())
  const before = startedWith(old)
  await fill(world, before)
  const torn = `${before.box.seal('torn').slice(0, -4)}AAAA`
  const lost: Channel = makeChannel({ secretsBox: stranger.box.seal('lost') })
  const half: Monitor = makeMonitor({
    requestBox: before.box.seal('request'),
    pushTokenBox: torn,
    pushTokenHash: 'other',
  })
  const places = Array.from({ length: resealSlice }, (_, n) => verificationNo(n + 10))
  await store.write((tx) => {
    store.channels.put(tx, lost)
    store.monitors.put(tx, half)
    for (const id of places) {
      stranger.vault.keep(tx, { userId, id }, { fields: person, reason: null })
    }
  })
  await startedWith(old, fresh).run()
  const { box, vault } = startedWith(fresh)
  await world.proven(box)
  const [monitor] = recordsOf(world).monitors
  t.equal(box.open(monitor?.requestBox ?? ''), 'request', 'the half that can be saved is')
  t.equal(monitor?.pushTokenBox, torn)
  t.equal(recordsOf(world).channels[0]?.secretsBox, lost.secretsBox)
  t.ok(vault.open({ userId, id: verificationNo(1) }), 'a whole slice of lost ones is passed over')
  t.equal(logged.length, 1)
  t.match(logged[0], {
    message: `${sayDone}, but some cannot be opened with any key`,
    fields: {
      resealed: { monitors: 2, channels: 0, factors: 1, verifications: 1 },
      lost: { monitors: 1, channels: 1, factors: 0, verifications: resealSlice },
    },
  })
  t.notMatch(JSON.stringify(logged), /request|signing|torn|push token/)
})

t.test('a pass that fails is logged, and the old key stays', async (t) => {
  const world = open(t)
  const { store, old, fresh, startedWith, logged } = world
  await fill(world, startedWith(old))
  const during = startedWith(old, fresh)
  const writeSoon = () => Promise.reject(new Error('no disk'))
  const { core, deps } = parts(world, during)
  const reseal = createReseal({ ...core, store: { ...store, writeSoon } }, deps)
  await reseal.run()
  t.match(logged, [{ message: 'secrets are still sealed with an older master key' }])
  await t.rejects(world.proven(startedWith(fresh).box), /does not belong to this data/)
})

t.test('cases under many keys are found slice by slice, whatever the order of keys', async (t) => {
  const world = open(t)
  const { store, startedWith } = world
  const lines = Array.from({ length: 6 }, keyLine)
  let number = 0
  for (const line of lines) {
    const { vault } = startedWith(line)
    await store.write((tx) => {
      for (let n = 0; n < 3; n += 1) {
        number += 1
        const place = { userId, id: verificationNo(number) }
        vault.keep(tx, place, { fields: person, reason: null })
      }
    })
  }
  for (const newest of lines) {
    const { vault } = startedWith(...lines, newest)
    for (const limit of [1, 2, 5, 100]) {
      const ids = new Set<string>()
      let slice = vault.wrappedByOlder(limit)
      for (; slice.length === limit; slice = vault.wrappedByOlder(limit, slice.at(-1))) {
        for (const { id } of slice) ids.add(id)
      }
      for (const { id } of slice) ids.add(id)
      t.equal(ids.size, number - 3, 'all but those of the newest key')
    }
  }
})

t.test('the addresses that a monitor keeps open with the new key', async (t) => {
  const world = open(t)
  const { store, old, fresh } = world
  const before = world.startedWith(old)
  await world.proven(before.box)
  const kept = { hash: 'of the path', box: before.box.seal('/ping/key/slug') }
  await addMonitors(world, [makeMonitor({ keptAddresses: [kept] })])
  await world.startedWith(old, fresh).run()
  const [monitor] = store.monitors.slice(1)
  const [after] = monitor?.keptAddresses ?? []
  t.equal(after?.hash, kept.hash)
  t.equal(world.startedWith(fresh).box.open(after?.box ?? ''), '/ping/key/slug')
})
