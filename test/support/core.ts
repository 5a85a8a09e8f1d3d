// What services have in common, over a store: what the world of a test of services begins with.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { Test } from 'tap'
import type { OrgId } from '../../src/base/ids.ts'
import { createLog } from '../../src/base/log/log.ts'
import type { Quotas } from '../../src/domain/orgs/org.ts'
import type { Letter } from '../../src/mail/letter.ts'
import { createBox } from '../../src/seal/box.ts'
import { openKeyring } from '../../src/seal/keyring.ts'
import { createAudit } from '../../src/services/audit.ts'
import type { Core } from '../../src/services/core.ts'
import { createEnumerationSafeMailer, createMailer, enclosedIn } from '../../src/services/mailer.ts'
import { createQuotaChecks } from '../../src/services/quotas.ts'
import type { FakeClock } from './fake-clock.ts'
import { orgA as httpOrgA, orgB as httpOrgB } from './http.ts'
import { orgA } from './make-incident.ts'
import { putOrgs } from './make-org.ts'
import { orgTwo } from './make-page.ts'
import { usualQuotas } from './quotas.ts'
import { openTempStore, type TempStore } from './temp-store.ts'

export interface CoreOptions {
  /** A store that is open already. */
  readonly over?: TempStore
  readonly clock?: FakeClock
  readonly inMemory?: boolean
  /** The quotas that differ from the usual ones. */
  readonly quotas?: Partial<Quotas>
  /** The organizations that exist from the beginning. */
  readonly orgs?: readonly OrgId[]
  readonly baseUrl?: string
}

/** The core, and what a test looks at: the letters, and what was logged. */
export function openCore(t: Test, options: CoreOptions = {}) {
  const { orgs = [orgA, orgTwo, httpOrgA, httpOrgB] } = options
  const { store, clock, dir } = options.over ?? openTempStore(t, options)
  const keyFile = `${dir}.key`
  t.teardown(() => rmSync(keyFile, { force: true }))
  const keyring = openKeyring({ file: keyFile, create: true, random: randomBytes })
  const box = createBox(keyring)
  const lines: string[] = []
  const log = createLog({ level: 'debug', format: 'json', write: (line) => void lines.push(line) })
  /** What was queued for whom, oldest first. */
  const letters: (Letter & { readonly to: string })[] = []
  const mailing = {
    store,
    clock,
    box: {
      seal(text: string) {
        const { to, letter } = enclosedIn(text)
        if (to !== '') letters.push({ to, ...letter })
        return box.seal(text)
      },
    },
    from: () => ({ name: 'Stillup', address: 'stillup@example.com' }),
    wake() {
      mailer.woken += 1
    },
  }
  /** `woken` counts the letters that were handed on for sending. */
  const mailer = { woken: 0, ...createMailer(mailing) }
  putOrgs(store, orgs)
  const core = {
    store,
    clock,
    log,
    box,
    audit: createAudit({ store, clock }),
    quotas: createQuotaChecks({ store, usual: () => ({ ...usualQuotas, ...options.quotas }) }),
    mailer,
    baseUrl: options.baseUrl ?? 'https://up.test',
  } satisfies Core
  const enumerationSafeMailer = createEnumerationSafeMailer(mailing)
  return { ...core, dir, keyring, keyFile, enumerationSafeMailer, letters, lines }
}
