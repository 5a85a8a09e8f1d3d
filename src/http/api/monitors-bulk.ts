// Monitors in bulk and on trial: many created, changed or deleted at once; one checked unstored.
import {
  anyNumber,
  anyText,
  flag,
  idOf,
  isoTime,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  text,
  toIso,
} from '../../base/schema.ts'
import { limits } from '../../domain/limits.ts'
import type { MonitorFields } from '../../domain/monitor-input.ts'
import { verdictKinds } from '../../domain/verdict.ts'
import type { TrialResult } from '../../services/monitor-trial.ts'
import { del, patch, post, resource } from '../route.ts'
import { CertificateOut, ErrorOut, EvidenceOut, MonitorIn, Phases } from './monitor-schemas.ts'
import { evidenceToWire } from './monitor-wire.ts'

const member = { role: 'member' } as const

const tag = text({ charsMin: 1, charsMax: limits.tagCharsMax })
const selector = {
  ids: optional(listOf(idOf('monitor'), limits.bulkMonitorsMax)),
  tag: optional(tag),
}
const SelectorIn = object(selector)

const ChangeIn = object({
  ...selector,
  isActive: optional(flag),
  addTags: optional(listOf(tag, limits.tagsMax)),
  removeTags: optional(listOf(tag, limits.tagsMax)),
})

const ManyIn = object({ monitors: listOf(MonitorIn, limits.bulkMonitorsMax) })
const ManyOut = object({
  created: anyNumber,
  ids: listOf(idOf('monitor'), limits.bulkMonitorsMax),
})

const TrialOut = object({
  at: isoTime,
  outcome: oneOf(verdictKinds),
  responseTimeMs: anyNumber,
  status: nullable(anyNumber),
  error: nullable(ErrorOut),
  phases: nullable(Phases),
  address: nullable(anyText),
  certificate: nullable(CertificateOut),
  failure: nullable(EvidenceOut),
})

/** For bodies that name very many. */
const large = {
  rate: 'bulk',
  bodyBytesMax: limits.bulkBytesMax,
  jsonKeysMax: limits.bulkKeysMax,
  deadlineMs: limits.bulkMsMax,
} as const

export const monitorsBulk = resource('/orgs/:orgId/monitors', {
  test: post(
    '/test',
    {
      who: member,
      body: MonitorIn,
      out: TrialOut,
      message: 'Check completed',
      deadlineMs: limits.timeoutMsMax + 10_000,
      summary: 'Checks once what would be a monitor, and stores nothing of it',
    },
    async ({ scope, body, signal }, { trials }) =>
      trialToWire(await trials.run(scope, body as MonitorFields, signal)),
  ),
  createMany: post(
    '/bulk',
    {
      ...large,
      who: member,
      creates: true,
      body: ManyIn,
      out: ManyOut,
      message: 'Monitors created',
      summary: 'Creates up to 10,000 monitors, or none where one of them is refused',
    },
    async ({ scope, body, signal }, { monitorBulk }) => {
      const monitors = body.monitors as readonly MonitorFields[]
      const ids = await monitorBulk.create(scope, monitors, signal)
      return { created: ids.length, ids }
    },
  ),
  changeMany: patch(
    '/',
    {
      ...large,
      who: member,
      body: ChangeIn,
      out: object({ matched: anyNumber, changed: anyNumber }),
      message: 'Monitors updated',
      summary: 'Pauses, resumes or tags many monitors, named by their ids or by a tag',
    },
    ({ scope, body }, { monitorBulk }) => monitorBulk.change(scope, body, body),
  ),
  removeMany: del(
    '/',
    {
      ...large,
      who: member,
      body: SelectorIn,
      out: object({ deleted: anyNumber }),
      message: 'Monitors deleted',
      summary: 'Deletes many monitors, named by their ids or by a tag',
    },
    async ({ scope, body }, { monitorBulk }) => ({
      deleted: await monitorBulk.remove(scope, body),
    }),
  ),
})

function trialToWire({ reading, verdict }: TrialResult) {
  const { atMs, error = null, evidence, certificate } = reading
  return {
    at: toIso(atMs),
    outcome: verdict,
    responseTimeMs: Math.round(reading.durationMs),
    status: reading.status ?? null,
    error,
    phases: reading.phases ?? null,
    address: reading.address ?? null,
    certificate: certificate
      ? { expiresAt: toIso(certificate.expiresAtMs), issuer: certificate.issuer }
      : null,
    failure: evidence ? evidenceToWire({ atMs, error, evidence }) : null,
  }
}
