// A machine for the checks of `stillup doctor`: all is well unless a test says otherwise.

import { usableSettings } from '../../src/config/load.ts'
import { type BackupManifest, backupName } from '../../src/domain/backups/backup.ts'
import type { DaemonView, FileFacts, World } from '../../src/services/doctor/model/world.ts'
import { FakeClock } from './fake-clock.ts'

export interface MachineFacts {
  /** Texts of files, or what is known of them; a list is a directory with these names. */
  readonly files?: Readonly<
    Record<string, string | readonly string[] | Partial<FileFacts> | 'denied'>
  >
  /** Settings by their variables, without `STILLUP_`. */
  readonly env?: Readonly<Record<string, string>>
  readonly own?: Partial<World['own']>
  readonly network?: Partial<World['network']>
  readonly daemon?: DaemonView
  readonly world?: Partial<World>
}

const dir = '/var/lib/stillup'

/** The manifest of a backup that was taken then. */
export function manifestText(takenAtMs: number): string {
  const manifest: BackupManifest = {
    format: 1,
    name: backupName(takenAtMs),
    instance: 'ins',
    version: '1.2.3',
    schema: { version: 7, minReader: 7 },
    takenAtMs,
    verifiedAtMs: takenAtMs,
    durationMs: 1,
    bytes: 1,
    sha256: 'a',
    dataBytes: 1,
    dataSha256: 'b',
    records: 1,
    damagedRecords: 0,
    keyId: 'c',
  }
  return JSON.stringify(manifest)
}

const usualFiles: NonNullable<MachineFacts['files']> = {
  [dir]: { kind: 'directory', mode: 0o700, uid: 990 },
  '/etc/stillup/master.key': { mode: 0o600, uid: 990 },
  '/proc/self/mountinfo':
    '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n23 22 8:2 / /mnt rw - ext4 /dev/sdb1 rw\n',
  '/mnt/backup': ['20261130T230000Z'],
  '/mnt/backup/20261130T230000Z/manifest.json': manifestText(Date.UTC(2026, 10, 30, 23)),
  '/proc/self/status': 'Umask:\t0077\n',
  '/etc/ssl/certs/ca-certificates.crt': 'x',
}

export const runningDaemon: Extract<DaemonView, { kind: 'running' }> = {
  kind: 'running',
  status: { pid: 77, version: '1.2.3', ready: true },
  report: {
    startedAtMs: Date.UTC(2026, 0, 1),
    data: {
      bytes: 1,
      usedBytes: 1,
      maxBytes: null,
      sizeState: 'ok',
      diskState: 'ok',
      diskFreeBytes: 1,
      diskTotalBytes: 1,
      damagedRecords: 0,
    },
    counts: { users: 1, organizations: 1, monitors: 20, channels: 1 },
    owed: { deliveries: 0, letters: 0 },
    network: { lost: [], lostSinceMs: null },
    heartbeat: { lastSuccessAtMs: 1, lastError: null },
    tasks: [{ name: 'space', lastOutcome: 'done', lastDetail: null }],
    certificates: [],
    checksStarted: 1_000,
    checksLate: 0,
    reportKeyIds: ['key1'],
  },
}

/** An answer of our own address. */
export const answered = {
  ok: true,
  body: JSON.stringify({ product: 'stillup', reportKeys: [{ keyId: 'key1' }] }),
} as const

export function doctorWorld(facts: MachineFacts = {}): World {
  const clock = new FakeClock(Date.UTC(2026, 11, 1))
  const files = { ...usualFiles, ...facts.files }
  const env = {
    STILLUP_DATA_DIR: dir,
    STILLUP_BACKUP_DIR: '/mnt/backup',
    STILLUP_DATA_MASTER_KEY_FILE: '/etc/stillup/master.key',
    STILLUP_MAIL_SMTP_URL: 'smtps://user:secret@mail.example.com',
    STILLUP_MAIL_FROM: 'up@example.com',
    STILLUP_HTTP_BASE_URL: 'http://localhost:8080',
    ...Object.fromEntries(
      Object.entries(facts.env ?? {}).map(([name, value]) => [`STILLUP_${name}`, value]),
    ),
  }
  const loaded = usableSettings({ env, cwd: '/nowhere', isTerminal: false })
  const usualFacts: FileFacts = {
    kind: 'file',
    mode: 0o600,
    uid: 0,
    gid: 0,
    bytes: 1,
    changedAtMs: 0,
  }
  const network: World['network'] = {
    nameServers: () => ['192.0.2.53'],
    askServer: async () => ({ tookMs: 5, code: null }),
    resolve: async () => ({ addresses: ['192.0.2.7'] }),
    exchange: async () => answered,
    verifyMail: async () => ({ ok: true }),
    sendMail: async () => ({ ok: true }),
    ...facts.network,
  }
  return {
    clock,
    version: '1.2.3',
    settings: loaded.settings,
    settingsSource: loaded.source,
    settingsProblems: loaded.problems,
    settingsWarnings: loaded.warnings,
    secretsInFile: loaded.secretsInFile,
    own: {
      uid: 990,
      env,
      ...facts.own,
    },
    mailTo: null,
    cluster: async () => [],
    files: {
      async read(path) {
        const found = files[path]
        return typeof found === 'string' && !isAbsence(found) ? found : undefined
      },
      async look(path) {
        const found = files[path]
        if (found === undefined) return 'missing'
        if (isAbsence(found)) return found
        if (typeof found === 'string') return usualFacts
        if (isNames(found)) return { ...usualFacts, kind: 'directory', mode: 0o700, uid: 990 }
        return { ...usualFacts, ...found }
      },
      async list(path) {
        const found = files[path]
        return found !== undefined && isNames(found) ? found : []
      },
      disk: async () => ({
        freeBytes: 5e10,
        totalBytes: 1e11,
        freeFiles: 1e6,
        totalFiles: 2e6,
      }),
      tryWrite: async () => ({ slowestMs: 5 }),
    },
    network,
    daemon: async () => facts.daemon ?? { kind: 'absent' },
    leadership: () => undefined,
    unit: async () => undefined,
    ...facts.world,
  }
}

function isAbsence(found: unknown): found is 'denied' | 'missing' {
  return found === 'denied' || found === 'missing'
}

function isNames(found: unknown): found is readonly string[] {
  return Array.isArray(found)
}
