// The keeper of certificates: what a restart goes on with, what a failure means, and what is told.
import t, { type Test } from 'tap'
import { type AcmeClient, AcmeError } from '../../../src/acme/client.ts'
import {
  acmeUnavailableMs,
  createCertificateKeeper,
} from '../../../src/actors/tasks/certificate-keeper.ts'
import { required } from '../../../src/base/assert.ts'
import type { SystemNotice } from '../../../src/domain/alerts/system-notice.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { WantedHost } from '../../../src/domain/system/certificate-plan.ts'
import { newHostCertificate } from '../../../src/domain/system/host-certificate.ts'
import type { Box } from '../../../src/seal/box.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { recordingLog } from '../../support/http.ts'
import { orgOne } from '../../support/make-page.ts'
import { openTempStore } from '../../support/temp-store.ts'
import { until } from '../../support/until.ts'

function opened(sealed: string): string | undefined {
  return sealed.startsWith('sealed ') ? sealed.slice('sealed '.length) : undefined
}

const box: Box = {
  seal: (text) => `sealed ${text}`,
  open: (sealed) => required(opened(sealed), 'what this key sealed'),
  openOrUndefined: opened,
  isCurrent: () => true,
}
const directoryUrl = 'https://ca.example/directory'

function wantedHost(host: string): WantedHost {
  return { host, orgId: host === 'up.example' ? null : orgOne, isShared: false, sinceMs: 0 }
}
const running = new AbortController().signal
const hourMs = 3_600_000
const dayMs = 24 * hourMs

function open(t: Test, hosts: readonly string[] = ['up.example']) {
  const { store, clock } = openTempStore(t, { clock: new FakeClock(), inMemory: true })
  const asked: string[] = []
  const notices: SystemNotice[] = []
  const world = {
    hosts,
    /** Throws to refuse a new order. */
    begin: (_host: string): void => {},
    finish: async (_host: string, _signal: AbortSignal): Promise<string> => {
      throw new AcmeError('Connection refused.', 'orderGone')
    },
  }
  const acme: AcmeClient = {
    async register() {
      asked.push('register')
      return 'https://ca.example/account/1'
    },
    async order(_account, host) {
      asked.push(`order ${host}`)
      world.begin(host)
      return `https://ca.example/order/${asked.length}`
    },
    finish(_account, { url, host }, signal) {
      asked.push(`finish ${url.slice(-1)}`)
      return world.finish(host, signal)
    },
  }
  const start = () =>
    createCertificateKeeper({
      store,
      clock,
      log: recordingLog([]),
      box,
      acme,
      directoryUrl,
      email: null,
      newOfDomainMax: limits.certificatesNewOfDomain,
      wantedHosts: () => world.hosts.map(wantedHost),
      tell: (_tx, notice) => void notices.push(notice),
    })
  const get = (host = 'up.example') => store.hostCertificates.get(host)
  return { store, clock, asked, notices, world, start, get }
}

t.test('an order that a stop interrupts goes on after the start', async (t) => {
  const { world, start, asked, get } = open(t)
  const stopping = new AbortController()
  const keeper = start()
  world.finish = (_host, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new AcmeError('stopped')))
      stopping.abort()
    })
  await keeper.round(stopping.signal)
  t.same(asked, ['register', 'order up.example', 'finish 2'])
  t.match(get(), { failures: 0, reason: null, order: { url: 'https://ca.example/order/2' } })
  const challenge = 'a-token-of-some-length'
  const answer = keeper.challengeAnswer(challenge)
  t.match(answer, /^a-token-of-some-length\.[\w-]{43}$/)
  t.equal(
    start().challengeAnswer(challenge),
    answer,
    'the authority may ask before the order goes on',
  )
  t.equal(keeper.challengeAnswer('<script>alert(1)</script>'), undefined)
  world.finish = async () => {
    throw new AcmeError('Not yet.')
  }
  await start().round(running)
  t.same(asked.slice(3), ['finish 2'], 'no new order, no new account')
})

t.test('a failure is kept with its reason, and a restart does not ask sooner', async (t) => {
  const { clock, start, asked, get } = open(t)
  const keeper = start()
  t.equal(await keeper.round(running), '1 hosts, 0 issued, 1 failed')
  t.match(get(), { failures: 1, reason: 'Connection refused.', order: null })
  await start().round(running)
  await clock.advance(9 * 60_000)
  await start().round(running)
  t.equal(asked.length, 3)
  await clock.advance(60_000)
  await start().round(running)
  t.same(asked.slice(3), ['order up.example', 'finish 4'])
  t.match(get(), { failures: 2, nextAttemptAtMs: clock.nowMs() + hourMs })
})

t.test('trouble on the way keeps the order', async (t) => {
  const { clock, world, start, asked } = open(t)
  world.finish = async () => {
    throw new AcmeError('No answer within 20 seconds.')
  }
  const keeper = start()
  await keeper.round(running)
  await clock.advance(hourMs)
  await keeper.round(running)
  t.same(asked, ['register', 'order up.example', 'finish 2', 'finish 2'])
})

t.test('an authority that limits is not asked for other new hosts of the domain', async (t) => {
  const { clock, world, start, asked } = open(t, ['a.acme.example', 'b.acme.example'])
  world.begin = () => {
    throw new AcmeError('Too many.', 'rateLimited', 2 * hourMs)
  }
  const keeper = start()
  await keeper.round(running)
  await clock.advance(hourMs)
  await keeper.round(running)
  t.equal(asked.filter((one) => one.startsWith('order')).length, 1)
  await clock.advance(hourMs + 1)
  await keeper.round(running)
  t.ok(asked.filter((one) => one.startsWith('order')).length > 1)
})

t.test('a limit of one domain delays neither renewals nor other domains', async (t) => {
  const hosts = ['a.acme.example', 'b.acme.example', 'a.other.example', 'old.acme.example']
  const { store, clock, world, start, asked } = open(t, hosts)
  const record = {
    ...newHostCertificate('old.acme.example', clock.nowMs()),
    issued: issuedUntil(clock.nowMs() + 30 * dayMs),
  }
  await store.write((tx) => store.hostCertificates.put(tx, record))
  world.begin = (host) => {
    if (host === 'a.acme.example') throw new AcmeError('Too many.', 'rateLimited', 5 * hourMs)
  }
  await start().round(running)
  await clock.advance(4 * hourMs)
  const keeper = start()
  await keeper.round(running)
  const ordered = new Set(asked.filter((one) => one.startsWith('order')))
  t.same(
    ordered,
    new Set(['order a.acme.example', 'order a.other.example', 'order old.acme.example']),
  )
  t.match(keeper.waits().get('b.acme.example'), { kind: 'paused' }, 'also after a restart')
})

t.test('new hosts wait while a renewal that was refused is tried again', async (t) => {
  const { store, clock, world, start, asked } = open(t, ['old.acme.example', 'new.acme.example'])
  const record = {
    ...newHostCertificate('old.acme.example', clock.nowMs()),
    issued: issuedUntil(clock.nowMs() + 30 * dayMs),
    domainPausedUntilMs: clock.nowMs() - 1,
    failures: 1,
  }
  await store.write((tx) => store.hostCertificates.put(tx, record))
  const keeper = start()
  const seen: unknown[] = []
  world.begin = () => void seen.push(keeper.waits().get('new.acme.example'))
  world.finish = async () => {
    seen.push(keeper.waits().get('new.acme.example'))
    throw new AcmeError('Too many.', 'rateLimited', hourMs)
  }
  await keeper.round(running)
  t.match(seen, [{ kind: 'paused' }, { kind: 'paused' }])
  t.notOk(asked.includes('order new.acme.example'))
})

t.test('an authority that cannot be reached is asked again after a while', async (t) => {
  const { clock, world, start, asked } = open(t, ['up.example', 'a.example', 'b.example'])
  world.finish = async () => {
    throw new AcmeError('No answer.', 'unavailable')
  }
  const keeper = start()
  await keeper.round(running)
  const count = asked.length
  t.equal(asked.filter((one) => one.startsWith('finish')).length, 2, 'one in each lane')
  t.match(keeper.waits().get('b.example'), { kind: 'unavailable' })
  await clock.advance(acmeUnavailableMs)
  await keeper.round(running)
  t.ok(asked.length > count)
})

t.test('a new host whose challenge takes long delays no renewal', async (t) => {
  const { store, clock, world, start, asked, get } = open(t, [
    'slow.example',
    'a.example',
    'b.example',
  ])
  await store.write((tx) => {
    for (const host of ['a.example', 'b.example']) {
      const record = newHostCertificate(host, clock.nowMs())
      const issued = issuedUntil(clock.nowMs() + 30 * dayMs)
      store.hostCertificates.put(tx, { ...record, issued })
    }
  })
  world.finish = (host, signal) =>
    new Promise((_resolve, reject) => {
      if (host !== 'slow.example') reject(new AcmeError('Connection refused.', 'orderGone'))
      signal.addEventListener('abort', () => reject(new AcmeError('late', 'unavailable')))
    })
  const keeper = start()
  const round = keeper.round(running)
  await until(() => asked.includes('order slow.example'))
  await until(() => ['a', 'b'].every((name) => get(`${name}.example`)?.failures === 1))
  t.match(get('slow.example'), { failures: 0, order: {} }, 'its order is still in progress')
  await clock.advance(limits.acmeOrderMs)
  await round
  t.equal(keeper.waits().size, 0, 'its own deadline is no failure of the authority')
})

t.test('a host that waits for its turn costs no write when it is renamed', async (t) => {
  const hosts = Array.from({ length: 200 }, (_, at) => `n${at}.acme.example`)
  const { store, start, world } = open(t, hosts)
  world.begin = () => {
    throw new AcmeError('Too many.', 'rateLimited', hourMs)
  }
  const keeper = start()
  await keeper.round(running)
  t.equal(store.hostCertificates.slice(200).length, 1, 'only what was ordered is stored')
  world.hosts = ['up.example']
  await keeper.round(running)
  t.ok(store.hostCertificates.slice(200).length <= 2)
  t.equal(keeper.timesOf('n7.acme.example'), undefined)
})

t.test('an account that the authority forgot is registered again', async (t) => {
  const { clock, world, start, asked } = open(t)
  world.finish = async () => {
    throw new AcmeError('No such account.', 'accountDoesNotExist')
  }
  const keeper = start()
  await keeper.round(running)
  await clock.advance(hourMs)
  await keeper.round(running)
  t.equal(asked.filter((one) => one === 'register').length, 2)
})

const issuedUntil = (expiresAtMs: number) => ({
  chainPem: 'chain',
  keyBox: 'sealed key',
  issuer: 'A',
  fromMs: 0,
  expiresAtMs,
})

t.test('the operator is told once of a certificate that ends and is not renewed', async (t) => {
  const { store, clock, start, notices, get } = open(t)
  const expiresAtMs = clock.nowMs() + 8 * dayMs
  const record = {
    ...newHostCertificate('up.example', clock.nowMs()),
    issued: issuedUntil(expiresAtMs),
  }
  await store.write((tx) => store.hostCertificates.put(tx, record))
  const keeper = start()
  await keeper.round(running)
  t.same(notices, [], 'eight days before')
  await clock.advance(2 * dayMs)
  await keeper.round(running)
  await start().round(running)
  t.match(notices, [{ kind: 'certificate', text: /Connection refused/, isOver: false }])
  t.match(get(), { failures: 2, issued: { expiresAtMs } })
})

t.test('a host that goes away and comes back keeps its certificate', async (t) => {
  const { store, clock, world, start, asked, get } = open(t)
  const nowMs = clock.nowMs()
  const record = {
    ...newHostCertificate('up.example', nowMs + 60 * dayMs),
    issued: issuedUntil(nowMs + 90 * dayMs),
  }
  await store.write((tx) => store.hostCertificates.put(tx, record))
  const keeper = start()
  await keeper.round(running)
  t.ok(keeper.timesOf('up.example'))
  world.hosts = []
  await keeper.round(running)
  t.equal(keeper.timesOf('up.example'), undefined, 'it is no longer served')
  world.hosts = ['up.example']
  await keeper.round(running)
  t.ok(keeper.timesOf('up.example'))
  t.same(asked, [])
  world.hosts = []
  await keeper.round(running)
  await clock.advance(31 * dayMs)
  await keeper.round(running)
  t.equal(get(), undefined, 'a month later it is forgotten')
})

t.test('a key that no master key opens is replaced', async (t) => {
  const { store, clock, start, asked } = open(t)
  const record = {
    ...newHostCertificate('up.example', clock.nowMs() + 60 * dayMs),
    issued: { ...issuedUntil(clock.nowMs() + 90 * dayMs), keyBox: 'lost' },
  }
  await store.write((tx) => store.hostCertificates.put(tx, record))
  await start().round(running)
  t.same(asked, ['register', 'order up.example', 'finish 2'])
})
