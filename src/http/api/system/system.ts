// The API of the service itself for its operator: its state, and its own audit log.
import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { capabilities } from '../../../domain/checks/observer.ts'
import { get, list, resource, wirePage } from '../../routing/route.ts'
import {
  AuditEntryOut,
  AuditExportIn,
  AuditFilterIn,
  auditEntryToWire,
  auditFile,
  auditFileType,
  ChainOut,
  spanOf,
} from '../audit/audit-wire.ts'

const who = { system: true } as const
const count = Type.Integer({ minimum: 0 })

const InfoOut = s.object({
  version: Type.String(),
  nodeVersion: Type.String(),
  startedAt: s.isoTime,
  uptimeSeconds: count,
  data: s.object({ bytes: count, diskFreeBytes: count, diskTotalBytes: count }),
  counts: s.object({ users: count, organizations: count, monitors: count, channels: count }),
  owed: s.object({ deliveries: count, letters: count }),
  network: s.object({
    lost: s.described(
      s.listOf(s.oneOf(capabilities), capabilities.length),
      'What is failing where the service runs: checks that depend on it are unknown',
    ),
    lostSince: s.nullable(s.isoTime),
  }),
  isMasterKeyBesideData: Type.Boolean({
    description: 'Whether a copy of the data directory includes the key',
  }),
  registration: s.oneOf(['first-user', 'invite', 'open']),
  mail: s.oneOf(['smtp', 'files']),
})

export const system = resource('/system', {
  info: get('/info', {
    who,
    summary: 'Version, disk space, counts and modes of the service',
    out: InfoOut,
  }).handledBy(async (_call, { systemInfo }) => {
    const info = await systemInfo()
    const { lost, lostSinceMs } = info.network
    const network = { lost, lostSince: s.toIsoOrNull(lostSinceMs) }
    return { ...info, startedAt: s.toIso(info.startedAtMs), network }
  }),
  auditLog: list('/audit-log', {
    who,
    summary: 'Sign-ins and operator actions, newest first',
    query: AuditFilterIn,
    out: AuditEntryOut,
  }).handledBy(({ query, page }, { auditLog }) =>
    wirePage(auditLog.list('system', { ...query, ...spanOf(query), ...page }), auditEntryToWire),
  ),
  verifyAuditLog: get('/audit-log/verify', {
    who,
    summary: 'Verify that no entry was changed, removed or inserted',
    out: ChainOut,
  }).handledBy(({ signal }, { auditLog }) => auditLog.verify('system', signal)),
  exportAuditLog: get('/audit-log/export', {
    who,
    summary: "The service's own audit log as a file, oldest first; Link leads to the next part",
    query: AuditExportIn,
    plain: auditFileType,
  }).handledBy(async ({ query, signal }, { auditLog, baseUrl }) => {
    const part = await auditLog.part('system', { ...query, ...spanOf(query) }, signal)
    const url = `${baseUrl}/api/v1/system/audit-log/export`
    return auditFile(part, query, { url, name: 'audit-system' })
  }),
})
