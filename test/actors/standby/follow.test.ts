// A standby and its leader, in one process and without a network: what each answers, waits for and refuses.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type FollowState, follow } from '../../../src/actors/standby/follow.ts'
import { createLeaderLink } from '../../../src/actors/standby/leader-link.ts'
import { tellFormer } from '../../../src/actors/standby/tell-former.ts'
import { Fault } from '../../../src/base/fault.ts'
import { silentLog } from '../../../src/base/log/log.ts'
import { createMetrics } from '../../../src/base/metrics.ts'
import {
  packRecords,
  recordsHoldMs,
  standbyPath,
  unpackRecords,
} from '../../../src/domain/standby/protocol.ts'
import { standbyRoutes } from '../../../src/http/public/standby.ts'
import type { RawRequest } from '../../../src/http/routing/raw-route.ts'
import type { WireToDaemon } from '../../../src/net/daemon-wire.ts'
import { SealBroken } from '../../../src/seal/box.ts'
import { type Keyring, openKeyring } from '../../../src/seal/keyring.ts'
import { createLogSeal, standbySecret } from '../../../src/seal/log-seal.ts'
import type { Services } from '../../../src/services/assembly/services.ts'
import { createFollowers } from '../../../src/services/standby/followers.ts'
import { createSnapshots } from '../../../src/services/standby/snapshots.ts'
import { createStandbyLink } from '../../../src/services/standby/standby-link.ts'
import { beginRestore, finishRestore } from '../../../src/store/backup/restore.ts'
import { noPace, unpackVerified } from '../../../src/store/backup/verify.ts'
import { type Env, openEnv } from '../../../src/store/engine/env.ts'
import { createReplica } from '../../../src/store/engine/replica.ts'
import { openStore } from '../../../src/store/store.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { testFolder } from '../../support/test-folder.ts'
import { until } from '../../support/until.ts'

const url = 'https://leader.test'

function keyringIn(dir: string): Keyring {
  return openKeyring({ file: join(dir, 'master.key'), create: true, random: randomBytes })
}

/** A leader whose routes are asked without a network. */
function startLeader(t: Test, root: string) {
  const clock = new FakeClock()
  const keyring = keyringIn(join(root, 'leader'))
  const said: string[] = []
  const log = {
    ...silentLog,
    info: (message: string) => void said.push(message),
    warn: (message: string) => void said.push(message),
  }
  const seal = createLogSeal(keyring)
  const followers = createFollowers({ clock, log, metrics: createMetrics(), seal })
  const dataDir = join(root, 'leader')
  const fail = (error: unknown) => t.fail(String(error))
  const store = openStore({
    dir: dataDir,
    clock,
    commitDelayMs: 0,
    onFatal: fail,
    onError: fail,
    redoLog: followers.redoLog,
  })
  followers.begin(store.logPosition(), undefined)
  const snapshots = createSnapshots({ store, clock, log, dataDir, holds: followers.holds })
  const deposedBy: (string | null)[] = []
  const link = createStandbyLink({
    ...{ store, followers, snapshots },
    isSecret: (text) => text === standbySecret(keyring),
    onDeposed: (by) => void deposedBy.push(by),
  })
  t.teardown(async () => {
    link.stop()
    await store.close()
  })
  const put = (name: string, bytes: Uint8Array = Buffer.from(name)) =>
    store.write((tx) =>
      store.secrets.put(tx, name as 'key-proof', {
        sealed: Buffer.from(bytes).toString('base64'),
        hash: name,
        createdAtMs: 1,
      }),
    )
  /** What proves the master key, which every copy needs. */
  const begin = () => put('key-proof')
  return { clock, keyring, store, followers, link, said, deposedBy, put, begin }
}

type Leader = ReturnType<typeof startLeader>

/** The way to the routes of a leader. `isCut`: nothing is answered. */
function wireTo({ link, clock }: Leader, secret: string, way = { isCut: false }): WireToDaemon {
  const routes = standbyRoutes(link)
  const receive: WireToDaemon['receive'] = async ({ method, url: asked, body = '', signal }) => {
    const { pathname, search } = new URL(asked)
    if (way.isCut) throw new Error('nothing listens there')
    const path = pathname.slice(standbyPath.length)
    const [, name = '', id = ''] = path.split('/')
    const found = routes.find((route) => {
      const wanted = `${standbyPath}/${name}${id === '' ? '' : '/:id'}`
      return route.path === wanted && (route.method ?? 'GET') === method
    })
    if (!found) return { status: 404, bytes: Buffer.alloc(0) }
    const request = {
      params: { id },
      queryText: search.slice(1),
      header: (header: string) => (header === 'authorization' ? `Bearer ${secret}` : ''),
      address: '192.0.2.1',
      body: Buffer.from(body),
      nowMs: clock.nowMs(),
    } as unknown as RawRequest
    const gone = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    // A handler that throws at once leaves it behind.
    gone.catch(() => {})
    try {
      const reply = await Promise.race([found.handle(request, {} as Services), gone])
      if (way.isCut) throw new Error('the connection broke')
      return { status: reply.status, bytes: Buffer.from(reply.body ?? '') }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const status = error.code === 'unauthenticated' ? 401 : 500
      return { status, bytes: Buffer.from(JSON.stringify({ detail: error.message })) }
    }
  }
  return { receive, send: () => Promise.reject(new Error('not asked')), close() {} }
}

/** A standby in a directory of its own. */
function startStandby(t: Test, root: string, leader: Leader, way = { isCut: false }) {
  const dir = join(root, 'standby')
  let env = openEnv(dir)
  let replica = createReplica(env)
  const stop = new AbortController()
  const taken: string[] = []
  let state: FollowState | undefined
  const wire = wireTo(leader, standbySecret(leader.keyring), way)
  const ended = follow(
    {
      clock: leader.clock,
      log: silentLog,
      link: createLeaderLink({ wire, url, member: 'b', version: '1.0.0' }),
      seal: createLogSeal(leader.keyring),
      replica: () => replica,
      mustBeReplaceable: () => {},
      async replace(file, pieces) {
        taken.push(file.id)
        const making = beginRestore(dir)
        await unpackVerified(pieces, join(making, 'data.mdb'), file, noPace)
        await env.close()
        finishRestore(dir, making, null)
        env = openEnv(dir)
        replica = createReplica(env)
      },
      onApplied: async () => {},
      signal: stop.signal,
    },
    (next) => {
      state = next
    },
  )
  ended.catch(() => {})
  t.teardown(async () => {
    stop.abort()
    await ended.catch(() => {})
    await env.close()
  })
  return {
    ended,
    taken,
    state: () => state,
    position: () => replica.position(),
    secrets: () => namesIn(env),
    hasAll: () =>
      until(async () => {
        await leader.clock.advance(1_000)
        return state?.hasAll && replica.position().hash === leader.store.logPosition()?.hash
      }),
  }
}

function namesIn(env: Env): string[] {
  const database = env.lmdb.openDB<Buffer, string[]>({ name: 'secrets', ...env.tableOptions })
  return [...database.getKeys()].flat().toSorted()
}

t.test(
  'a standby begins with a copy, then has each change before it is acknowledged',
  async (t) => {
    const root = testFolder(t)
    const leader = startLeader(t, root)
    await leader.begin()
    await leader.put('before')
    const standby = startStandby(t, root, leader)
    await standby.hasAll()
    t.equal(standby.taken.length, 1)
    t.same(standby.secrets(), ['before', 'key-proof'])
    for (const name of ['one', 'two', 'three']) {
      await leader.put(name)
      t.ok(standby.secrets().includes(name), 'acknowledged: the standby has it')
    }
    t.match(leader.followers.list(), [{ member: 'b', isInStep: true, version: '1.0.0' }])
  },
)

t.test('a standby that does not answer is waited for two seconds, once', async (t) => {
  const root = testFolder(t)
  const leader = startLeader(t, root)
  await leader.begin()
  const way = { isCut: false }
  const standby = startStandby(t, root, leader, way)
  await standby.hasAll()
  way.isCut = true
  let isDone = false
  const writing = leader.put('alone').then(() => {
    isDone = true
  })
  await until(() => standby.state()?.failure !== null)
  await leader.clock.advance(1_900)
  t.notOk(isDone, 'it is still waited for')
  await leader.clock.advance(200)
  await writing
  t.match(leader.said.at(-1), /is here alone/)
  const before = leader.clock.nowMs()
  await leader.put('alone too')
  t.equal(leader.clock.nowMs(), before, 'nothing waits for it any more')
  t.match(standby.state()?.failure, /nothing listens there|connection broke/)
  way.isCut = false
  await standby.hasAll()
  t.ok(standby.secrets().includes('alone too'))
  t.match(leader.said.at(-1), /each transaction waits for it from now on/)
})

t.test(
  'a question is held until something changes, and is answered before it is too long',
  async (t) => {
    const root = testFolder(t)
    const leader = startLeader(t, root)
    await leader.begin()
    const at = leader.store.logPosition()
    const asked = {
      ...{ member: 'c', address: '192.0.2.9', version: '1', isHeld: true },
      ...{ after: at?.sequence ?? 0, hash: at?.hash ?? '' },
    }
    const idle = leader.followers.records(asked)
    await leader.clock.advance(recordsHoldMs)
    t.same(await idle, [])
    const held = leader.followers.records(asked)
    const writing = leader.put('news')
    t.equal((await held)?.length, 1)
    await leader.clock.advance(2_000)
    await writing
    t.equal(
      await leader.followers.records({ ...asked, hash: 'another history' }),
      undefined,
      'what is of another history begins anew',
    )
  },
)

t.test('a standby that has gone between two questions is not in step', async (t) => {
  const root = testFolder(t)
  const leader = startLeader(t, root)
  await leader.begin()
  const asked = { member: 'c', address: '', version: '1', isHeld: false }
  const ask = () => {
    const { sequence: after = 0, hash = '' } = leader.store.logPosition() ?? {}
    return leader.followers.records({ ...asked, after, hash })
  }
  await ask()
  t.match(leader.followers.list(), [{ isInStep: true }])
  await leader.clock.advance(3_000)
  const { sequence: after = 0, hash = '' } = leader.store.logPosition() ?? {}
  await leader.put('alone')
  t.match(leader.said.at(-1), /is here alone/)
  await leader.followers.records({ ...asked, after, hash })
  t.match(leader.followers.list(), [{ isInStep: false }], 'it answers, and lacks one')
  await ask()
  t.match(leader.followers.list(), [{ isInStep: true }])
})

t.test('a standby that is too far behind begins anew', async (t) => {
  const root = testFolder(t)
  const leader = startLeader(t, root)
  await leader.begin()
  const at = leader.store.logPosition()
  for (let number = 0; number < 12; number += 1) {
    await leader.put(`large ${number}`, randomBytes(1024 * 1024))
  }
  const asked = { member: 'c', address: '', version: '1', isHeld: false }
  const found = await leader.followers.records({
    ...asked,
    after: at?.sequence ?? 0,
    hash: at?.hash ?? '',
  })
  t.equal(found, undefined, 'the oldest records are held no more')
  const newest = leader.store.logPosition()
  t.same(
    await leader.followers.records({
      ...asked,
      after: newest?.sequence ?? 0,
      hash: newest?.hash ?? '',
    }),
    [],
  )
})

t.test(
  'only who has the master key is answered, and what was changed is not applied',
  async (t) => {
    const root = testFolder(t)
    const leader = startLeader(t, root)
    await leader.begin()
    const foreign = createLeaderLink({
      ...{ wire: wireTo(leader, 'guess'), url, member: 'x', version: '1' },
    })
    const { signal } = new AbortController()
    await t.rejects(foreign.records({ sequence: 0, hash: '' }, false, signal), {
      name: 'StartFailure',
      message: `${url} has another master key`,
    })
    const seal = createLogSeal(leader.keyring)
    const sealed = seal.seal(Buffer.from('record'))
    t.equal(seal.open(sealed).toString(), 'record')
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
    t.throws(() => seal.open(sealed), SealBroken)
    t.throws(() => seal.open(sealed.subarray(0, 20)), SealBroken)
  },
)

t.test('the former leader hears of the promoted one, and must not lead again', async (t) => {
  const root = testFolder(t)
  const leader = startLeader(t, root)
  await leader.begin()
  const way = { isCut: true }
  const wire = wireTo(leader, standbySecret(leader.keyring), way)
  const link = createLeaderLink({ wire, url, member: 'b', version: '1' })
  const { clock } = leader
  const former = tellFormer({
    clock,
    log: silentLog,
    link,
    epoch: 2,
    origin: 'b',
    url: 'https://b.test',
  })
  t.teardown(() => former.stop())
  await clock.advance(60_000)
  t.equal(leader.store.leadership.get(), undefined)
  way.isCut = false
  await clock.advance(10_000)
  await until(() => leader.deposedBy.length > 0)
  t.same(leader.deposedBy, ['https://b.test'])
  t.match(leader.store.leadership.get(), { role: 'deposed', url: 'https://b.test', epoch: 2 })
  const own = await leader.link.heardOf(1, 'https://c.test')
  t.match(own, { role: 'leader', epoch: 1 }, 'a lower epoch changes nothing')
})

t.test('an address that leads back to the promoted machine is no former leader', async (t) => {
  const root = testFolder(t)
  const leader = startLeader(t, root)
  await leader.begin()
  const { clock, said, keyring, link: asked } = leader
  const log = { ...silentLog, warn: (message: string) => void said.push(message) }
  const wire = wireTo(leader, standbySecret(keyring))
  const link = createLeaderLink({ wire, url, member: 'a', version: '1' })
  const { epoch, origin } = asked.role()
  const former = tellFormer({ clock, log, link, epoch, origin, url })
  t.teardown(() => former.stop())
  await until(() => said.some((message) => /needs an address of its own/.test(message)))
  const other = tellFormer({ clock, log, link, epoch, origin: 'another', url })
  t.teardown(() => other.stop())
  await until(() => said.some((message) => /was promoted, too: both lead/.test(message)))
  t.same(leader.deposedBy, [])
})

t.test('records travel as they are, and a cut answer is noticed', async (t) => {
  const records = [
    { sequence: 1, sealed: Buffer.from('one') },
    { sequence: 2 ** 40, sealed: Buffer.alloc(0) },
  ]
  const packed = packRecords(records)
  t.same(unpackRecords(packed), records)
  t.same(unpackRecords(Buffer.alloc(0)), [])
  for (let end = 1; end < packed.length; end += 1) {
    const whole = end === 6 + 4 + 3
    t.equal(unpackRecords(packed.subarray(0, end)) !== undefined, whole, `${end} bytes`)
  }
})
