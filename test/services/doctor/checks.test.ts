// The checks of `stillup doctor`, on simulated machines: what is wrong is found, with advice.
import t from 'tap'
import { exitCodes, StartFailure } from '../../../src/base/exit.ts'
import type { ClusterProblem } from '../../../src/services/cluster/cluster-tools.ts'
import { backupsCheck } from '../../../src/services/doctor/checks/backups.ts'
import { certificatesCheck } from '../../../src/services/doctor/checks/certificates.ts'
import { clusterCheck } from '../../../src/services/doctor/checks/cluster.ts'
import { daemonCheck } from '../../../src/services/doctor/checks/daemon.ts'
import { diskCheck } from '../../../src/services/doctor/checks/disk.ts'
import { dnsCheck } from '../../../src/services/doctor/checks/dns.ts'
import { mailCheck } from '../../../src/services/doctor/checks/mail.ts'
import { permissionsCheck } from '../../../src/services/doctor/checks/permissions.ts'
import { settingsCheck } from '../../../src/services/doctor/checks/settings.ts'
import type { CheckFinding } from '../../../src/services/doctor/model/finding.ts'
import { mountOf, mountsIn } from '../../../src/services/doctor/model/mounts.ts'
import { unitOf } from '../../../src/services/doctor/model/unit-file.ts'
import { modeText, msText } from '../../../src/services/doctor/model/words.ts'
import type { DoctorCheck } from '../../../src/services/doctor/model/world.ts'
import { doctorChecks, runChecks } from '../../../src/services/doctor/run-checks.ts'
import type { SelfCondition } from '../../../src/services/system/self-report.ts'
import {
  answered,
  doctorWorld,
  type MachineFacts,
  manifestText,
  runningDaemon,
} from '../../support/doctor-world.ts'
import { FakeClock } from '../../support/fake-clock.ts'

/** What a check finds wrong, as lines; advice is never missing where something is. */
async function wrong(check: DoctorCheck, facts: MachineFacts): Promise<readonly string[]> {
  const found = await check.run(doctorWorld(facts))
  const bad = found.filter(({ status }) => status === 'problem' || status === 'warning')
  for (const { subject, advice } of bad) t.ok(advice, `${check.name}, ${subject} has advice`)
  return bad.map(({ status, subject, seen }) => `${status} ${subject}: ${seen}`)
}

const seen = (found: readonly CheckFinding[]) => found.map(({ seen }) => seen).join('\n')

t.test('a machine where all is well has no problems and no warnings', async (t) => {
  for (const daemon of [{ kind: 'absent' }, runningDaemon] as const) {
    const found = await runChecks(doctorWorld({ daemon }))
    t.same(
      found.filter(({ status }) => status === 'problem' || status === 'warning'),
      [],
    )
    t.ok(doctorChecks.every(({ name }) => found.some(({ check }) => check === name)))
  }
})

t.test('what is wrong with a cluster is told, also where it cannot be reached', async (t) => {
  const env = { CLUSTER_SERVERS: 'tls://10.0.0.1:4222', CLUSTER_NKEY_FILE: 'member.nk' }
  const at = (cluster: () => Promise<readonly ClusterProblem[]>) =>
    wrong(clusterCheck, { env, world: { cluster } })
  t.same(await wrong(clusterCheck, {}), [])
  t.same(await at(async () => []), [])
  t.same(await at(async () => [{ seen: 'one copy', advice: 'Run three.' }]), [
    'problem streams: one copy',
  ])
  const refused = new StartFailure(exitCodes.config, 'member.nk: others can read it')
  t.same(await at(() => Promise.reject(refused)), ['problem access: member.nk: others can read it'])
})

t.test('a check that hangs or fails ends as a finding, and the others are shown', async (t) => {
  const clock = new FakeClock()
  const world = doctorWorld({ world: { clock } })
  const hanging: DoctorCheck = { name: 'hanging', run: () => new Promise(() => {}) }
  const broken: DoctorCheck = { name: 'broken', run: () => Promise.reject(new Error('oh')) }
  const running = runChecks(world, [hanging, broken, settingsCheck])
  await clock.advance(3_000)
  t.match(await running, [
    { check: 'hanging', status: 'warning', seen: /longer than 3 s/ },
    { check: 'broken', status: 'skipped', seen: /oh/ },
    { check: 'settings', status: 'ok' },
    { check: 'settings', status: 'ok' },
  ])
})

t.test('wrong settings are named, and an address without TLS, or a guess', async (t) => {
  t.match(await wrong(settingsCheck, { env: { CHECKS_CONCURRENCY: 'many' } }), [
    /problem checks\.concurrency: found "many"; allowed: a whole number/,
  ])
  t.match(await wrong(settingsCheck, { env: { HTTP_LISTEN: '0.0.0.0:8080', HTTP_BASE_URL: '' } }), [
    /warning http\.baseUrl: not set/,
  ])
  t.match(await wrong(settingsCheck, { env: { HTTP_BASE_URL: 'http://up.example.com' } }), [
    /without TLS/,
  ])
  t.match(await wrong(settingsCheck, { env: { HTTP_BASE_URL: 'https://up.example.com' } }), [
    /warning http\.trustedProxies: empty/,
  ])
})

t.test(
  'what the daemon noticed in its last hours is judged, and the disk looked ahead',
  async (t) => {
    const report = runningDaemon.report
    if (!report) throw new Error('the running daemon has a report')
    const nowMs = Date.UTC(2026, 11, 1)
    const dayMs = 86_400_000
    const well: SelfCondition = {
      latenessP99Ms: 5,
      loopDelayP99Ms: 2,
      errors: 0,
      disk: { state: 'steady', fullAtMs: null, bytesPerDay: null },
      clock: 'right',
      backupError: null,
    }
    const daemonWith = (changes: Partial<SelfCondition>) => ({
      daemon: { ...runningDaemon, report: { ...report, condition: { ...well, ...changes } } },
    })
    const disk = (days: number): SelfCondition['disk'] => ({
      state: 'fills',
      fullAtMs: nowMs + days * dayMs,
      bytesPerDay: 1,
    })
    t.same(await wrong(daemonCheck, daemonWith({})), [])
    t.same(await wrong(daemonCheck, daemonWith({ disk: disk(90) })), [])
    t.match(await wrong(daemonCheck, daemonWith({ disk: disk(20) })), [
      /warning disk forecast: the disk of the data is full in about 20 days/,
    ])
    t.match(await wrong(daemonCheck, daemonWith({ disk: disk(3) })), [/problem disk forecast/])
    t.match(await wrong(daemonCheck, daemonWith({ latenessP99Ms: 5_000, loopDelayP99Ms: 2_000 })), [
      /warning event loop: the process was up to 2000 ms late/,
      /warning last hour: the slowest of 100 checks began 5000 ms late/,
    ])
    t.match(await wrong(daemonCheck, daemonWith({ errors: 3, clock: 'behind' })), [
      /warning errors: 3 errors/,
      /problem clock: the clock of this machine is behind/,
    ])
    t.match(await wrong(backupsCheck, daemonWith({ backupError: 'no space is left' })), [
      /warning last attempt: the last backup failed: no space is left/,
    ])
  },
)

t.test('the running daemon tells what does not go well with it', async (t) => {
  const report = runningDaemon.report
  if (!report) throw new Error('the running daemon has a report')
  const daemon = {
    ...runningDaemon,
    status: { pid: 77, version: '1.2.2', ready: false },
    report: {
      ...report,
      owed: { deliveries: 5_000, letters: 1 },
      network: { lost: ['dns' as const], lostSinceMs: 1 },
      data: { ...report.data, damagedRecords: 2 },
      heartbeat: { lastSuccessAtMs: null, lastError: 'status 500' },
      tasks: [{ name: 'backup', lastOutcome: 'failed' as const, lastDetail: 'no space' }],
      checksLate: 500,
      longSilent: 37,
    },
  }
  t.match(await wrong(daemonCheck, { daemon }), [
    /problem state: .*not ready/,
    /warning version: 1\.2\.2 runs, 1\.2\.3 is installed/,
    /warning lateness: 500 of 1000/,
    /warning task backup: .*no space/,
    /warning unsent: 5000 alerts/,
    /warning network: .*dns/,
    /problem data: 2 stored records/,
    /warning silent monitors: 37 monitors .*more than 14 days.*nobody is told/,
    /warning heartbeat: .*status 500/,
  ])
  t.match(await wrong(daemonCheck, { daemon: { kind: 'silent', reason: 'no answer' } }), [
    /problem state/,
  ])
  const old = { ...runningDaemon, report: undefined }
  t.same(await wrong(daemonCheck, { daemon: old }), [], 'one that cannot report is no problem')
  t.same(await wrong(daemonCheck, { daemon: { kind: 'refused' } }), [])
})

t.test('a standby says how it follows, and a leader whether one follows', async (t) => {
  const { status, report } = runningDaemon
  if (!report) throw new Error('the running daemon has a report')
  const of = 'https://up.example.com'
  const well = { of, heardAtMs: 1, failure: null, hasAll: true }
  const standbyWith = (changes: Partial<typeof well> | { failure: string }) => ({
    daemon: {
      kind: 'running' as const,
      status: { ...status, ready: false, standby: { ...well, ...changes } },
      report: undefined,
    },
  })
  t.same(await wrong(daemonCheck, standbyWith({})), [])
  t.match(seen(await daemonCheck.run(doctorWorld(standbyWith({})))), /standby of .* has everything/)
  t.match(await wrong(daemonCheck, standbyWith({ failure: 'nobody listens' })), [
    /problem state: .* is a standby of .*, which does not answer: nobody listens/,
  ])

  const absent = (role: 'leader' | 'standby' | 'deposed') => ({
    world: { leadership: () => ({ role, url: of, epoch: 2 }) },
  })
  t.same(await wrong(daemonCheck, absent('leader')), [])
  t.match(await wrong(daemonCheck, absent('standby')), [/warning data: it is a copy of that of/])
  t.match(await wrong(daemonCheck, absent('deposed')), [/warning data: .*example\.com leads/])
  const unreadable = () => {
    throw new Error('it is damaged')
  }
  t.same(await wrong(daemonCheck, { world: { leadership: unreadable } }), [])

  const own = { name: 'a', version: '1.2.3', address: null, heardAtMs: 1, behind: 0 }
  const inStep = { ...own, isInStep: true, behindSinceMs: null }
  const leader = { ...inStep, role: 'leader' as const, isThis: true }
  const standby = { ...inStep, role: 'standby' as const, isThis: false }
  const leading = (...standbys: readonly (typeof standby)[]) => ({
    daemon: {
      ...runningDaemon,
      report: { ...report, cluster: { epoch: 1, members: [leader, ...standbys] } },
    },
  })
  t.same(await wrong(daemonCheck, leading(standby)), [])
  t.match(await wrong(daemonCheck, leading({ ...standby, isInStep: false })), [
    /warning standby: no standby is in step/,
  ])
  t.match(await wrong(daemonCheck, leading()), [/warning standby: no standby is in step/])
})

t.test('a name server that is silent or slow, and names that do not lead here', async (t) => {
  const silent = { askServer: async () => ({ tookMs: 2_500, code: 'ETIMEOUT' }) }
  t.match(await wrong(dnsCheck, { network: silent }), [/problem name server .*does not answer/])
  t.match(await wrong(dnsCheck, { network: { nameServers: () => [] } }), [/problem/])
  const slow = { askServer: async () => ({ tookMs: 900, code: 'ENOTFOUND' }) }
  t.match(await wrong(dnsCheck, { network: slow }), [/warning .*900 ms/])
  const one = {
    nameServers: () => ['192.0.2.53', '192.0.2.54'],
    askServer: async (server: string) =>
      server === '192.0.2.53' ? { tookMs: 1, code: 'ESERVFAIL' } : { tookMs: 1, code: null },
  }
  t.match(await wrong(dnsCheck, { network: one }), [/warning .*ESERVFAIL/], 'the other one works')
  const env = { HTTP_BASE_URL: 'https://up.example.com', HTTP_STATUS_DOMAIN: 'pages.example.net' }
  const nowhere = { resolve: async () => ({ reason: 'no such name' }) }
  t.match(await wrong(dnsCheck, { env, network: nowhere }), [
    /problem http\.baseUrl: up\.example\.com has no address/,
    /problem http\.statusDomain/,
  ])
  const daemon = runningDaemon
  const other = {
    exchange: async () => ({ ...answered, body: '{"product":"stillup","reportKeys":[]}' }),
  }
  t.match(await wrong(dnsCheck, { env, daemon, network: other }), [/another stillup/])
  const foreign = { exchange: async () => ({ ...answered, body: '<html>' }) }
  t.match(await wrong(dnsCheck, { env, daemon, network: foreign }), [/is not stillup/])
  const closed = { exchange: async () => ({ ok: false as const, reason: 'refused' }) }
  t.match(await wrong(dnsCheck, { env, daemon, network: closed }), [/does not answer from here/])
  t.match(seen(await dnsCheck.run(doctorWorld({ env, daemon }))), /leads here/)
})

t.test('a disk that is full, slow, read-only or of a kind that loses data', async (t) => {
  const world = doctorWorld()
  const files = (changes: Partial<typeof world.files>) => ({
    world: { files: { ...world.files, ...changes } },
  })
  const space = { freeBytes: 6e7, totalBytes: 1e11, freeFiles: 3, totalFiles: 1e6 }
  t.match(await wrong(diskCheck, files({ disk: async () => space })), [
    /problem data\.dir space: 57 MiB/,
    /problem data\.dir inodes: only 3/,
  ])
  t.match(await wrong(diskCheck, files({ tryWrite: async () => ({ slowestMs: 900 }) })), [
    /warning data\.dir writing: .*900 ms/,
  ])
  t.match(await wrong(diskCheck, files({ tryWrite: async () => ({ code: 'EIO' }) })), [/EIO/])
  const mounted = (type: string, options = 'rw') => ({
    files: {
      '/proc/self/mountinfo': `1 0 8:1 / / rw - ext4 /dev/sda1 rw
2 1 0:5 / /var/lib/stillup ${options} - ${type} place rw
`,
    },
  })
  t.match(await wrong(diskCheck, mounted('nfs4')), [/problem .*nfs4/])
  t.match(await wrong(diskCheck, mounted('tmpfs')), [/problem .*tmpfs/])
  t.match(await wrong(diskCheck, mounted('vfat')), [/warning .*vfat/])
  t.match(await wrong(diskCheck, mounted('ext4', 'ro')), [/problem .*read-only/])
  t.same(await wrong(diskCheck, mounted('overlay')), [], 'overlay outside of a container')
  const contained = { ...mounted('overlay').files, '/.dockerenv': '' }
  t.match(await wrong(diskCheck, { files: contained }), [/problem .*overlay/])
})

t.test('a mail server that refuses, and a daemon without one', async (t) => {
  const reason = 'The certificate of the mail server is not trusted (SELF_SIGNED_CERT).'
  const refuses = { verifyMail: async () => ({ ok: false as const, mayRetry: true, reason }) }
  t.match(await wrong(mailCheck, { network: refuses }), [/problem server: .*not trusted/])
  t.match(await wrong(mailCheck, { env: { MAIL_SMTP_URL: '', MAIL_FROM: '' } }), [/warning server/])
  const told = { sendMail: async () => ({ ok: false as const, mayRetry: false, reason: 'No.' }) }
  const mailTo = 'ann@example.com'
  t.match(await wrong(mailCheck, { network: told, world: { mailTo } }), [/problem letter: No/])
  t.match(seen(await mailCheck.run(doctorWorld({ world: { mailTo } }))), /accepted a letter/)
  t.notMatch(seen(await mailCheck.run(doctorWorld())), /secret/, 'the password is not shown')
})

t.test('data, keys and settings that others can read, or cannot be read at all', async (t) => {
  const key = '/etc/stillup/master.key'
  const dir = '/var/lib/stillup'
  const found = (files: NonNullable<MachineFacts['files']>) => wrong(permissionsCheck, { files })
  t.match(await found({ [dir]: { kind: 'directory', mode: 0o755, uid: 990 } }), [/others can look/])
  t.match(await found({ [key]: { mode: 0o644, uid: 990 } }), [/problem master key: .*read it/])
  t.match(await found({ [key]: { mode: 0o600, uid: 0 } }), [/the daemon is another user/])
  const foreign = { [dir]: ['data.mdb'], [`${dir}/data.mdb`]: { uid: 0 } }
  t.match(await found(foreign), [/problem data files: others own data\.mdb/])
  const lost = { [key]: 'missing' as const, [`${dir}/data.mdb`]: { uid: 990 } }
  t.match(await found(lost), [/problem master key: .*missing, but there is data/])
  const source = '/etc/stillup/stillup.toml'
  const world = { settingsSource: source, secretsInFile: ['mail.smtpUrl'] }
  const mode = (mode: number) => wrong(permissionsCheck, { world, files: { [source]: { mode } } })
  t.match(await mode(0o644), [/warning settings file: .*mail\.smtpUrl/])
  t.match(await mode(0o666), [/others can change it/])
  t.same(await mode(0o640), [])
  const loose = { '/proc/77/status': 'Umask:\t0022\n' }
  t.match(await wrong(permissionsCheck, { files: loose, daemon: runningDaemon }), [/warning umask/])
})

t.test('backups that are off, on the disk of the data, missing or old', async (t) => {
  const off = { BACKUP_EVERY_HOURS: '0' }
  t.match(await wrong(backupsCheck, { env: off }), [/warning schedule: .*none is made/])
  t.match(await wrong(backupsCheck, { env: { BACKUP_DIR: '' } }), [
    /warning place: .*on the disk of the data/,
  ])
  const copied = {
    BACKUP_DIR: '',
    BACKUP_BUCKET_URL: 'https://s3.example.com',
    BACKUP_BUCKET_NAME: 'backups',
    BACKUP_BUCKET_ACCESS_KEY: 'an-id',
    BACKUP_BUCKET_SECRET_KEY: 'a-long-secret',
  }
  t.same(await wrong(backupsCheck, { env: copied }), [])
  const old = { '/mnt/backup': ['20261120T000000Z'] }
  const manifest = '/mnt/backup/20261120T000000Z/manifest.json'
  const files = { ...old, [manifest]: manifestText(Date.UTC(2026, 10, 20)) }
  t.match(await wrong(backupsCheck, { files }), [/warning newest: .* is 264 hours old/])
  t.match(await wrong(backupsCheck, { files: old }), [/warning newest: .*no manifest/])
  const none = { files: { '/mnt/backup': [] }, daemon: runningDaemon }
  t.match(await wrong(backupsCheck, none), [/warning newest: there is none/])
})

t.test('certificates that expired, are missing or are for another host', async (t) => {
  const env = {
    HTTP_TLS_LISTEN: ':8443',
    HTTP_TLS_CERT_FILE: '/etc/tls.crt',
    HTTP_TLS_KEY_FILE: '/etc/tls.key',
    HTTP_BASE_URL: 'https://up.example.com',
  }
  t.match(await wrong(certificatesCheck, { env }), [/problem http\.tlsCertFile: .*no certificate/])
  const report = runningDaemon.report
  if (!report) throw new Error('the running daemon has a report')
  const base = {
    source: 'acme' as const,
    issuer: null,
    nextAttemptAtMs: null,
    failures: 0,
    waitReason: null,
  }
  const nowMs = Date.UTC(2026, 11, 1)
  const certificates = [
    {
      ...base,
      host: 'a.example',
      state: 'issued' as const,
      expiresAtMs: nowMs + 3e8,
      reason: null,
    },
    { ...base, host: 'b.example', state: 'failed' as const, expiresAtMs: null, reason: 'no route' },
    { ...base, host: 'c.example', state: 'issued' as const, expiresAtMs: nowMs - 1, reason: null },
  ]
  const daemon = { ...runningDaemon, report: { ...report, certificates } }
  t.match(await wrong(certificatesCheck, { daemon }), [
    /warning a\.example: expires in 3 days/,
    /problem b\.example: none yet \(failed\): no route/,
    /problem c\.example: has expired/,
  ])
  const own = { env: { NODE_EXTRA_CA_CERTS: '/missing.pem' } }
  t.match(await wrong(certificatesCheck, { own }), [/problem NODE_EXTRA_CA_CERTS/])
})

t.test('files of the kernel and of systemd are read as they are written', async (t) => {
  const mounts = mountsIn('1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 / /a\\040b rw,noexec - xfs b ro\n')
  t.match(mountOf(mounts, '/a b/c'), { type: 'xfs', isReadOnly: true })
  t.match(mountOf(mounts, '/ab'), { type: 'ext4' })
  t.same([msText(1.24), msText(12.4)], ['1.2 ms', '12 ms'])
  t.equal(modeText(0o100640), '0640')
  const unit = unitOf(['A=1\nA=2\nB=3\n', 'B=\nB=4\n'])
  t.same([unit.all('A'), unit.all('B')], [['1', '2'], ['4']])
})
