// The API for the operator: the service's state, audit log, errors, tasks, users and organizations.

import Type from 'typebox'
import type { TaskState } from '../../../actors/tasks/tasks.ts'
import { nouns, quotaNouns, recordOf } from '../../../base/nouns.ts'
import * as s from '../../../base/schema/schema.ts'
import { capabilities } from '../../../domain/checks/observer.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { clusterRoles } from '../../../domain/standby/members.ts'
import { certificateStates } from '../../../domain/system/host-certificate.ts'
import { sizeStates, spaceStates } from '../../../domain/system/space-states.ts'
import { taskNames } from '../../../domain/system/task-names.ts'
import { privateAnswerStates } from '../../../services/checks/private-answers.ts'
import type { KnownOrg, KnownUser } from '../../../services/system/operator.ts'
import { UserOut, userToWire } from '../../output/account-wire.ts'
import { withTimes } from '../../output/times.ts'
import { answer, get, list, patch, post, put, resource, wirePage } from '../../routing/route.ts'
import {
  AuditEntryOut,
  AuditExportIn,
  AuditFilterIn,
  auditEntryToWire,
  auditFile,
  auditFileType,
  ChainOut,
  spanOf,
} from '../audit/audit-log.ts'
import { QuotasOut } from '../orgs/summary.ts'

const who = { system: true } as const
const count = Type.Integer({ minimum: 0 })

const ProgressOut = s.nullable(
  s.object({ doneBytes: count, totalBytes: count }),
  'How far it is, in bytes of all its passes over the data; null where that is not known',
)

const clusterMembersMax = 100

const MemberOfClusterOut = s.object({
  name: s.described(s.anyText, 'The host name of the machine'),
  role: s.oneOf(clusterRoles),
  version: s.anyText,
  address: s.nullable(s.anyText, 'Where it was heard from; null where that is not known'),
  heardAt: s.described(s.isoTime, 'When it was heard last'),
  behind: s.described(count, 'How many transactions it does not have yet'),
  isInStep: s.described(
    s.flag,
    'Whether each change waits for it: whatever is acknowledged is on its disk, too',
  ),
  behindSince: s.nullable(s.isoTime, 'Since when it has not been in step; null if it is'),
  isThis: s.described(s.flag, 'Whether it is the machine that answers'),
})

const memberTimes = withTimes('heardAt', 'behindSince')

const InfoOut = s.object({
  version: Type.String(),
  nodeVersion: Type.String(),
  startedAt: s.isoTime,
  uptimeSeconds: count,
  data: s.object({
    bytes: s.described(
      count,
      'The size of all files in the data directory; data.mdb never shrinks',
    ),
    usedBytes: s.described(count, 'What is in use of data.mdb; the rest of the file is used next'),
    maxBytes: s.nullable(count, 'The budget of data.maxMib for usedBytes, if any'),
    sizeState: s.described(
      s.oneOf(sizeStates),
      'large: 80 % of the budget are used. trimmed: from 90 % on the oldest results of checks are dropped. full: nothing new can be created, checks and alerts go on',
    ),
    diskState: s.described(
      s.oneOf(spaceStates),
      'low: less than 512 MiB or 5 % of the disk are free. full: less than 128 MiB; nothing new can be created, checks and alerts go on',
    ),
    diskFreeBytes: count,
    diskTotalBytes: count,
    damagedRecords: s.described(
      count,
      'Stored records that cannot be read; /system/errors has them',
    ),
  }),
  counts: s.object({ users: count, organizations: count, monitors: count, channels: count }),
  checkThreads: s.described(
    count,
    'Threads that make checks (checks.workers); 0: the main thread makes them',
  ),
  owed: s.described(
    s.object({ deliveries: count, letters: count }),
    'Alerts and letters that wait to be sent.',
  ),
  backup: s.object({
    newestAt: s.nullable(s.isoTime, 'When the newest backup on the disk was taken'),
    lastError: s.nullable(Type.String(), 'Why the last attempt failed; null if it did not'),
    progress: ProgressOut,
    copyProgress: ProgressOut,
  }),
  restored: s.nullable(
    s.object({
      at: s.isoTime,
      backup: s.described(Type.String(), 'Its name'),
      takenAt: s.described(s.isoTime, 'What was stored after this is missing'),
      isAutomatic: s.described(
        Type.Boolean(),
        'Whether the daemon did it because its data was damaged',
      ),
      reason: s.nullable(Type.String(), 'What was wrong with the data before'),
      keptIn: s.nullable(Type.String(), 'Where the data before was kept'),
    }),
    'The last time that the data was put back from a backup; null if never',
  ),
  network: s.object({
    lost: s.described(
      s.listOf(s.oneOf(capabilities), capabilities.length),
      'What is failing where the service runs: checks that depend on it are unknown',
    ),
    lostSince: s.nullable(s.isoTime, 'Since when; null if nothing is.'),
  }),
  heartbeat: s.nullable(
    s.object({
      lastSuccessAt: s.nullable(s.isoTime),
      lastError: s.nullable(Type.String(), 'Why it fails; null while it works'),
    }),
    'The calls of heartbeat.url; null if it is not set',
  ),
  isMasterKeyBesideData: Type.Boolean({
    description: 'Whether a copy of the data directory includes the key',
  }),
  registration: s.described(s.oneOf(['first-user', 'invite', 'open']), 'auth.registration'),
  mail: s.described(
    s.oneOf(['smtp', 'files']),
    'files: no mail server is set up, and letters become files in the directory outbox',
  ),
  privateAnswers: s.described(
    s.oneOf(privateAnswerStates),
    'Whether the service keeps what failed targets at private addresses answer',
  ),
  cluster: s.nullable(
    s.object({
      epoch: s.described(count, 'How often another machine has begun to lead'),
      members: s.listOf(MemberOfClusterOut, clusterMembersMax),
    }),
    'The machines that keep the same data (cluster.standby), this one first; null where the daemon is alone',
  ),
})

const restoredTimes = withTimes('at', 'takenAt')

const errorMessageTextMax = 4_000
const errorStackTextMax = 12_000
const errorSourceCharsMax = 100
const errorContextKeysMax = 50

const ReportIn = s.object({
  message: s.text({
    charsMin: 1,
    charsMax: errorMessageTextMax,
    description: 'What went wrong, in the words of the error.',
  }),
  stack: s.optional(s.text({ charsMax: errorStackTextMax }), 'The stack trace.'),
  context: s.optional(
    s.mapOf(s.anything, errorContextKeysMax),
    'What else is known. Values of fields that look like secrets are masked.',
  ),
  source: s.preset(
    s.text({
      description: 'The program that reports.',
      charsMax: errorSourceCharsMax,
      pattern: '^[A-Za-z0-9][\\w.@/ -]*$',
      rule: 'must be a name of letters, digits, spaces and . _ @ / -',
    }),
    'client',
  ),
})

const ErrorOut = s.object({
  id: s.idOf('error'),
  fingerprint: Type.String(),
  source: Type.String(),
  message: Type.String(),
  stack: s.nullable(Type.String()),
  context: s.mapOf(s.anything, errorContextKeysMax),
  reporter: s.object({ kind: Type.String(), id: s.nullable(Type.String()) }),
  count: Type.Integer(),
  firstSeenAt: s.isoTime,
  lastSeenAt: s.isoTime,
})

const errorToWire = withTimes('firstSeenAt', 'lastSeenAt')

const TaskOut = s.object({
  name: s.asType<string>({ type: 'string', enum: [...taskNames] }),
  intervalSeconds: Type.Integer(),
  isRunning: Type.Boolean(),
  runningSince: s.nullable(s.isoTime, 'When the present run began; null without one'),
  progress: ProgressOut,
  lastStartedAt: s.nullable(s.isoTime),
  lastDurationMs: s.nullable(Type.Integer()),
  lastOutcome: s.nullable(s.oneOf(['done', 'failed'])),
  lastDetail: s.nullable(Type.String({ description: 'The result, or why it failed' })),
  nextRunAt: s.isoTime,
})

const taskTimes = withTimes('lastStartedAt', 'nextRunAt', 'runningSince')
const taskToWire = (task: TaskState) => ({
  ...taskTimes(task),
  intervalSeconds: Math.round(task.intervalMs / 1_000),
})

const CertificateOut = s.object({
  host: s.described(s.anyText, 'A host of the service, of a page or of a custom domain'),
  source: s.described(
    s.oneOf(['acme', 'file']),
    'acme: obtained from acme.directoryUrl. file: the one in http.tlsCertFile, which names the host',
  ),
  state: s.described(
    s.oneOf(certificateStates),
    'pending: the first is being obtained. issued: one is in use, even if its renewal fails. failed: there is none that is valid',
  ),
  issuer: s.nullable(s.anyText, 'Who issued the one in use'),
  expiresAt: s.nullable(s.isoTime, 'When the one in use ends'),
  nextAttemptAt: s.nullable(
    s.isoTime,
    'When the next one is obtained: at two thirds of its life, or after a failure',
  ),
  failures: s.described(count, 'Failed attempts in a row'),
  reason: s.nullable(s.anyText, 'Why the last attempt failed'),
  waitReason: s.nullable(
    s.anyText,
    'Why a host that is due waits: for its turn, for a budget, or for the authority. null if it does not',
  ),
})

const certificateTimes = withTimes('expiresAt', 'nextAttemptAt')

export const KnownUserOut = s.revised({
  ...UserOut.properties,
  isDisabled: s.flag,
  hasTotp: s.flag,
  organizations: s.anyNumber,
})

export const UserChanges = s.object({
  isDisabled: s.optional(
    s.flag,
    'True signs the user out at once; nobody can sign in to the account.',
  ),
  isSystemAdmin: s.optional(
    s.flag,
    'Whether the user administers the service. The last one stays.',
  ),
  resetTotp: s.optional(Type.Literal(true, { description: 'Turns the second factor off' })),
  resetPasskeys: s.optional(Type.Literal(true, { description: 'Removes all passkeys' })),
})

export const knownUserToWire = ({ user, hasTotp, organizations }: KnownUser) => ({
  ...userToWire(user),
  hasTotp,
  organizations,
})

export const KnownOrgOut = s.revised({
  id: s.idOf('org'),
  name: s.anyText,
  isDisabled: s.flag,
  monitors: s.anyNumber,
  members: s.anyNumber,
  quotas: QuotasOut,
  createdAt: s.isoTime,
  updatedAt: s.isoTime,
})

export const OrgChanges = s.object({
  isDisabled: s.optional(
    s.flag,
    'True closes it to its members, and stops its checks, reports, alerts and status pages. ' +
      'Nothing is deleted.',
  ),
  quotas: s.optional(
    s.object(
      recordOf(quotaNouns, (name) =>
        s.optionalOrNull(
          s.integer(0, nouns[name].quota.max),
          `How many ${nouns[name].title} it may have. Null: as the settings say.`,
        ),
      ),
    ),
    'Quotas of its own, in place of those of the settings. Omitted ones stay.',
  ),
})

/** Channels that get news of the service itself. */
const systemNoticeChannelsMax = 10

const Notices = s.revised({
  channelIds: s.described(
    {
      ...s.listOf(s.idOf('channel'), systemNoticeChannelsMax),
      uniqueItems: true,
    },
    'Channels of organizations of which you are an admin or the owner. A channel that another ' +
      'administrator chose may stay. A deleted channel leaves the list.',
  ),
})

const orgTimes = withTimes('createdAt', 'updatedAt')
export const knownOrgToWire = ({ org, ...more }: KnownOrg) => ({
  ...orgTimes(org),
  isDisabled: org.isDisabled ?? false,
  ...more,
})

const errorBodyBytesMax = 16 * 1024

export const system = resource('/system', {
  about: 'The operation of the service, for its administrator: people, quotas, tasks, errors.',
  info: get('/info', {
    who,
    summary: 'Version, disk space, counts and modes of the service',
    out: InfoOut,
  }).handledBy(async (_call, { systemInfo }) => {
    const info = await systemInfo()
    const { lost, lostSinceMs } = info.network
    const network = { lost, lostSince: s.toIsoOrNull(lostSinceMs) }
    const heartbeat = info.heartbeat && {
      lastSuccessAt: s.toIsoOrNull(info.heartbeat.lastSuccessAtMs),
      lastError: info.heartbeat.lastError,
    }
    const { newestAtMs, ...ofBackup } = info.backup
    const backup = { newestAt: s.toIsoOrNull(newestAtMs), ...ofBackup }
    const restored = info.restored && restoredTimes(info.restored)
    const startedAt = s.toIso(info.startedAtMs)
    const cluster = info.cluster && {
      ...info.cluster,
      members: info.cluster.members.map(memberTimes),
    }
    return { ...info, startedAt, network, heartbeat, backup, restored, cluster }
  }),
  notices: get('/notices', {
    who,
    summary: 'The channels that get news of the service itself',
    description:
      'Each gets `system.notice`: this service lost its network, or did not run; its clock is ' +
      'wrong; its disk is almost full; stored records are damaged; a backup failed, or the data ' +
      'was put back from one; the checks of a monitor crash; an organization has no channel that ' +
      'works; a certificate of this service ends soon and is not renewed; no standby has everything.',
    out: Notices,
  }).handledBy((_call, { noticeChannels }) => noticeChannels.get()),
  chooseNotices: put('/notices', {
    who,
    summary: 'Choose the channels that get news of the service itself',
    example: { channelIds: ['chn_01k0000000000000000000000a'] },
    body: Notices,
    out: Notices,
    message: 'Channels chosen',
  }).handledBy(({ caller, body, expectedRevision }, { noticeChannels }) =>
    noticeChannels.choose(caller, body.channelIds, expectedRevision),
  ),
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
  reportError: post('/errors', {
    who: { optional: true },
    summary: 'Report an error; repeated reports of the same error are counted',
    example: {
      message: 'TypeError: basket is undefined',
      source: 'shop',
      stack: 'TypeError: basket is undefined\n    at pay (shop.js:81:12)',
      context: { page: '/checkout' },
    },
    body: ReportIn,
    bodyBytesMax: errorBodyBytesMax,
    out: s.object({ fingerprint: Type.String() }),
    message: 'Error noted',
  }).handledBy(({ caller, body }, { errorReports }) => errorReports.report(caller, body)),
  errors: list('/errors', {
    who,
    summary: 'Errors by kind, most recent first',
    out: ErrorOut,
  }).handledBy(({ page }, { errorReports }) => wirePage(errorReports.list(page), errorToWire)),
  tasks: list('/tasks', {
    who,
    summary: 'The recurring tasks of the service',
    out: TaskOut,
  }).handledBy(({ page }, { systemTasks }) => wirePage(systemTasks.list(page), taskToWire)),
  runTask: post('/tasks/:name/run', {
    who,
    summary: 'Run a task now',
    out: TaskOut,
    message: 'Task ended',
  }).handledBy(async ({ caller, params }, { systemTasks }) => {
    const task = await systemTasks.run(caller, params.name)
    return answer(taskToWire(task), task.isRunning ? { message: 'Task is still running' } : {})
  }),
  certificates: list('/certificates', {
    who,
    summary: "The certificates of the service's own hosts, by host",
    description: 'Empty unless http.tlsListen is set.',
    out: CertificateOut,
  }).handledBy(({ page }, { hostCertificates }) =>
    wirePage(hostCertificates.list(page), certificateTimes),
  ),
  users: list('/users', {
    who,
    summary: 'Users, newest first',
    query: s.object({
      q: s.optional(
        s.text({
          charsMax: limits.emailCharsMax,
          description: 'The beginning of an address, or part of a name',
        }),
      ),
    }),
    out: KnownUserOut,
  }).handledBy(({ page, query }, { operator }) =>
    wirePage(operator.users({ ...page, ...query }), knownUserToWire),
  ),
  changeUser: patch('/users/:userId', {
    who: { system: true, sudo: true },
    summary:
      'Switch a user off or on, grant or revoke administration, turn off a second factor, remove passkeys',
    example: { isDisabled: true },
    body: UserChanges,
    out: KnownUserOut,
    message: 'User changed',
  }).handledBy(async ({ caller, params, body, expectedRevision }, { operator }) =>
    knownUserToWire(await operator.changeUser(caller, params.userId, body, expectedRevision)),
  ),
  orgs: list('/orgs', {
    who,
    summary: 'Organizations, newest first',
    query: s.object({
      q: s.optional(s.text({ charsMax: limits.nameCharsMax, description: 'A part of the name' })),
    }),
    out: KnownOrgOut,
  }).handledBy(({ page, query }, { operator }) =>
    wirePage(operator.orgs({ ...page, ...query }), knownOrgToWire),
  ),
  changeOrg: patch('/orgs/:orgId', {
    who: { system: true, sudo: true },
    summary: 'Switch an organization off or on, or set its quotas; null restores the default',
    example: { quotas: { monitors: 500 } },
    body: OrgChanges,
    out: KnownOrgOut,
    message: 'Organization changed',
  }).handledBy(async ({ caller, params, body, expectedRevision }, { operator }) =>
    knownOrgToWire(await operator.changeOrg(caller, params.orgId, body, expectedRevision)),
  ),
})
