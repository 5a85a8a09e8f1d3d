// Wires TLS: the operator's own certificate, the ones obtained by ACME, and what makes them due.
import { createAcmeClient } from '../acme/client.ts'
import { createCertificateKeeper } from '../actors/tasks/certificate-keeper.ts'
import type { DaemonTask } from '../actors/tasks/tasks.ts'
import { pause } from '../base/timeout.ts'
import { table } from '../config/settings.ts'
import { limits } from '../domain/limits/limits.ts'
import type { WantedHost } from '../domain/system/certificate-plan.ts'
import { createGuard } from '../net/egress-policy.ts'
import { trustedAuthorities } from '../net/http-client/authorities.ts'
import { createEgress } from '../net/http-client/guarded-client.ts'
import type { EngineDeps } from '../services/assembly/engine-deps.ts'
import { createLiveResolver } from '../services/assembly/probing.ts'
import type { SystemNotices } from '../services/letters/system-notices.ts'
import type { PageUrls } from '../services/pages/page-urls.ts'
import { watchCertificateFiles } from '../services/system/certificate-files.ts'
import { createHostCertificates } from '../services/system/host-certificates.ts'

export interface CertificatesWiring
  extends Pick<
    EngineDeps,
    'settings' | 'live' | 'baseUrl' | 'clock' | 'log' | 'store' | 'box' | 'stack'
  > {
  readonly systemNotices: SystemNotices
  readonly pageUrls: Pick<PageUrls, 'hosts'>
}

export type Certificates = ReturnType<typeof startCertificates>

/** How often certificates that are due are looked for, besides at once after a change. */
const certificatesTaskMs = 10 * 60_000
/** Changes of hosts within this time are looked at together. */
const certificatesChangedMs = 1_000

export function startCertificates(deps: CertificatesWiring) {
  const { settings, baseUrl, clock, store, stack, systemNotices, pageUrls } = deps
  const { tlsListen, tlsCertFile, tlsKeyFile } = settings.http
  const ownHost = new URL(baseUrl).hostname
  const own: WantedHost = { host: ownHost, orgId: null, isShared: false, sinceMs: 0 }
  const allHosts = () => [own, ...pageUrls.hosts().filter(({ host }) => host !== ownHost)]
  const isOn = tlsListen !== null
  const files =
    isOn && tlsCertFile !== null && tlsKeyFile !== null
      ? watchCertificateFiles({ ...deps, certFile: tlsCertFile, keyFile: tlsKeyFile })
      : null
  stack.push('certificate files', () => files?.stop())
  const { directoryUrl, email } = settings.acme
  const keeper =
    isOn && settings.acme.isEnabled
      ? createCertificateKeeper({
          ...deps,
          acme: clientOf(deps),
          directoryUrl,
          email,
          // Other authorities have limits of their own, which they tell when they are reached.
          newOfDomainMax: isUsual(directoryUrl)
            ? limits.certificatesNewOfDomain
            : Number.POSITIVE_INFINITY,
          wantedHosts: () => allHosts().filter(({ host }) => !files?.current().covers(host)),
          tell: systemNotices.tell,
        })
      : null
  const hostCertificates = createHostCertificates({
    ...deps,
    files,
    keeper,
    wantedHosts: () => (isOn ? allHosts().map(({ host }) => host) : []),
  })
  let soon: unknown
  let run = async () => {}
  let isStopped = false

  /** Several changes are looked at together. */
  function noteChange(): void {
    if (!keeper) return
    soon ??= clock.setTimeout(() => {
      soon = undefined
      const looks = keeper.looks()
      // A run in progress may have looked already, so it is followed by another.
      void run().then(() => !isStopped && keeper.looks() === looks && noteChange())
    }, certificatesChangedMs)
  }

  store.signals.pageHostsChanged.listen(noteChange)
  files?.onChanged(noteChange)
  stack.push('certificates', () => {
    isStopped = true
    clock.clearTimeout(soon)
  })
  const task: DaemonTask | null = keeper && {
    name: 'certificates',
    intervalMs: certificatesTaskMs,
    run: keeper.round,
  }
  return {
    hostCertificates,
    /** The task to run with the others; null where there is nothing to obtain. */
    task,
    /** Reads the operator's own certificate again if its files changed. */
    readFiles: (): void => files?.look(),
    /** Is called once authorities reach the daemon; `runTask` runs the task now. */
    begin(runTask: () => Promise<void>): void {
      run = runTask
      noteChange()
    },
  }
}

const isUsual = (directoryUrl: string) => directoryUrl === table.acme.directoryUrl.fallback

const acmeBodyBytesMax = 256 * 1024

function clientOf({ settings, live, clock }: CertificatesWiring) {
  const { directoryUrl, caFile } = settings.acme
  // The operator's own choice may be in a private network.
  const guard = createGuard({ targets: isUsual(directoryUrl) ? 'public' : 'any' })
  const resolver = createLiveResolver({ clock, live })
  return createAcmeClient({
    directoryUrl,
    request: createEgress(
      { clock, guard, resolver, ...trustedAuthorities(caFile, 'acme.caFile') },
      { bodyBytesMax: acmeBodyBytesMax },
    ),
    nowMs: () => clock.nowMs(),
    wait: (ms, signal) => pause(clock, ms, signal),
  })
}
