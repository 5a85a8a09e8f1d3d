// What the daemon says of itself to the command line: counts and states, nothing secret.
import t from 'tap'
import { createSelfReport } from '../../../src/services/system/self-report.ts'
import type { SystemInfo } from '../../../src/services/system/system-info.ts'
import type { NoticesRecord } from '../../../src/store/tables/system/meta.ts'

t.test('a report has what a check of the machine compares, and nothing else', async (t) => {
  const info: SystemInfo = {
    version: '1.2.3',
    nodeVersion: 'v24',
    startedAtMs: 5,
    uptimeSeconds: 1,
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
    counts: { users: 1, organizations: 1, monitors: 2, channels: 0 },
    backup: { newestAtMs: null, lastError: 'no space', progress: null, copyProgress: null },
    restored: null,
    checkThreads: 0,
    owed: { deliveries: 1, letters: 0 },
    network: { lost: [], lostSinceMs: null },
    heartbeat: null,
    isMasterKeyBesideData: true,
    registration: 'invite',
    mail: 'files',
    privateAnswers: 'not_kept',
    cluster: null,
  }
  const failed = { name: 'space', lastOutcome: 'failed', lastDetail: 'no room' } as const
  const notRunning = { isRunning: false, runningSinceMs: null, progress: null }
  const times = { lastStartedAtMs: 1, lastDurationMs: 1, nextRunAtMs: 2, intervalMs: 1 }
  const recent = { latenessP99Ms: 5, loopDelayP99Ms: 1, errors: 2 }
  const disk = { state: 'steady', fullAtMs: null, bytesPerDay: null } as const
  const notices: NoticesRecord = {
    channels: [],
    toldDisk: 'ok',
    toldSize: 'ok',
    toldClock: 'behind',
    revision: 1,
  }
  const report = createSelfReport({
    systemInfo: async () => info,
    systemTasks: { list: () => ({ items: [{ ...failed, ...times, ...notRunning }] }) },
    hostCertificates: { list: () => ({ items: [] }) },
    checkStarts: () => ({ started: 10, late: 1 }),
    shadowLetters: { longSilent: async () => 3 },
    store: { meta: { notices: () => notices } },
    systemCharts: { recentTrouble: () => recent, forecast: () => disk },
    reportKeys: {
      published: () => [{ keyId: 'a', publicKey: 'b', createdAtMs: 1, retiredAtMs: null }],
    },
  })
  const { startedAtMs, data, counts, owed, network, heartbeat, cluster } = info
  t.same(await report(), {
    ...{ startedAtMs, data, counts, owed, network, heartbeat, cluster },
    tasks: [failed],
    certificates: [],
    checksStarted: 10,
    checksLate: 1,
    longSilent: 3,
    reportKeyIds: ['a'],
    condition: { ...recent, disk, clock: 'behind', backupError: 'no space' },
  })
})
