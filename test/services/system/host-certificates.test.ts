// The operator's list of certificates: where each host stands, and why it waits.
import t, { type Test } from 'tap'
import { AcmeError } from '../../../src/acme/client.ts'
import { createCertificateKeeper } from '../../../src/actors/tasks/certificate-keeper.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { WantedHost } from '../../../src/domain/system/certificate-plan.ts'
import type { Box } from '../../../src/seal/box.ts'
import { createHostCertificates } from '../../../src/services/system/host-certificates.ts'
import { createFakeAuthority } from '../../support/fake-authority.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { recordingLog } from '../../support/http.ts'
import { orgOne, orgTwo } from '../../support/make-page.ts'
import { openTempStore } from '../../support/temp-store.ts'

const box: Box = {
  seal: (text) => text,
  open: (sealed) => sealed,
  openOrUndefined: (sealed) => sealed,
  isCurrent: () => true,
}

const below = (count: number, orgId = orgOne): WantedHost[] =>
  Array.from({ length: count }, (_, at) => {
    return {
      host: `p${at}${orgId === orgOne ? '' : '-other'}.pages.example`,
      orgId,
      isShared: true,
      sinceMs: at,
    }
  })

function open(t: Test, hosts: readonly WantedHost[]) {
  const { store, clock } = openTempStore(t, { clock: new FakeClock(), inMemory: true })
  const authority = createFakeAuthority(clock)
  const world = { refuse: (_host: string): void => {} }
  const keeper = createCertificateKeeper({
    store,
    clock,
    log: recordingLog([]),
    box,
    acme: {
      ...authority.acme,
      order(account, host, signal) {
        world.refuse(host)
        return authority.acme.order(account, host, signal)
      },
    },
    directoryUrl: 'https://ca.example/directory',
    email: null,
    newOfDomainMax: limits.certificatesNewOfDomain,
    wantedHosts: () => hosts,
    tell: () => {},
  })
  const wantedHosts = () => hosts.map(({ host }) => host)
  const certificates = createHostCertificates({
    store,
    clock,
    box,
    files: null,
    keeper,
    wantedHosts,
  })
  const list = () => certificates.list({ limit: 100 }).items
  return { world, keeper, list, round: () => keeper.round(new AbortController().signal) }
}

t.test('a host beyond the budget of its organization says so, and until when', async (t) => {
  const { list, round } = open(t, below(limits.certificatesNewSharedOfOrg + 1))
  await round()
  const waiting = list().filter(({ state }) => state === 'pending')
  t.match(waiting, [
    {
      nextAttemptAtMs: Number,
      waitReason:
        /^The budget of the organization, 10 new hosts below http\.statusDomain in 7 days, is spent until 8 January 2026/,
    },
  ])
  t.equal(list().filter(({ state }) => state === 'issued').length, 10)
})

t.test('hosts that the authority paused say so, and until when', async (t) => {
  const { world, list, round } = open(t, [...below(1), ...below(1, orgTwo)])
  world.refuse = () => {
    throw new AcmeError('Too many.', 'rateLimited', 3_600_000)
  }
  await round()
  t.match(
    list().find(({ failures }) => failures === 0)?.waitReason,
    'The authority refused new hosts of pages.example, which are paused until 1 January 2026, 01:00 UTC.',
  )
  t.match(
    list().find(({ failures }) => failures > 0),
    { reason: 'Too many.', waitReason: null },
  )
})
