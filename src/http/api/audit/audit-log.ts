// The API of an organization's audit log: as a list, as a file, and verified.
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
} from './audit-wire.ts'

const who = { role: 'admin' } as const

export const auditLog = resource('/orgs/:orgId/audit-log', {
  list: list('/', {
    who,
    summary: 'What was done in the organization and by whom, newest first',
    query: AuditFilterIn,
    out: AuditEntryOut,
  }).handledBy(({ scope, query, page }, { auditLog }) =>
    wirePage(auditLog.list(scope, { ...query, ...spanOf(query), ...page }), auditEntryToWire),
  ),
  verify: get('/verify', {
    who,
    summary: 'Verify that no entry was changed, removed or inserted',
    out: ChainOut,
  }).handledBy(({ scope, signal }, { auditLog }) => auditLog.verify(scope, signal)),
  export: get('/export', {
    who,
    summary: 'The audit log as a file, oldest first; Link leads to the next part',
    query: AuditExportIn,
    plain: auditFileType,
  }).handledBy(async ({ scope, query, signal }, { auditLog, baseUrl }) => {
    const part = await auditLog.part(scope, { ...query, ...spanOf(query) }, signal)
    const url = `${baseUrl}/api/v1/orgs/${scope.orgId}/audit-log/export`
    return auditFile(part, query, { url, name: `audit-${scope.orgId}` })
  }),
})
