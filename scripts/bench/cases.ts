// The cases and their standard sizes.
import { measureAccess } from './cases/access.ts'
import { measureAlerts } from './cases/alerts.ts'
import { measureBackup } from './cases/backup.ts'
import { measureChecks } from './cases/checks.ts'
import { measureClients } from './cases/clients.ts'
import { measureCluster } from './cases/cluster/cluster.ts'
import { measureConsole } from './cases/console.ts'
import { measureDatabases } from './cases/databases/databases.ts'
import { measureHistory } from './cases/history.ts'
import { measureLeaks } from './cases/leaks.ts'
import { measureLists } from './cases/lists.ts'
import { measurePages } from './cases/pages.ts'
import { measureProbes } from './cases/probes.ts'
import { measurePrograms } from './cases/programs.ts'
import { measurePush } from './cases/push.ts'
import { measureReadings } from './cases/readings.ts'
import { measureSecureMemory } from './cases/secure-memory.ts'
import { measureStart } from './cases/start.ts'
import { measureThreads } from './cases/threads.ts'
import type { Options } from './options.ts'
import type { CaseResult } from './world/figure.ts'
import type { Workplace } from './world/workplace.ts'

export interface Case {
  readonly name: string
  run(work: Workplace): Promise<CaseResult>
}

// What one core can check at 20 s; more monitors than these need a longer interval.
const monitorsAtShortInterval = 33_000

/** Up to here a start tells what the program itself costs, and how the ways to run it differ. */
const monitorsOfSmallService = 20

/** How many monitors each case has where nothing is said. */
const standard = {
  checks: [5_000, monitorsAtShortInterval, 100_000],
  push: [10_000],
  pages: [50],
  lists: [10_000],
  start: [monitorsOfSmallService, 1_000, monitorsAtShortInterval, 100_000],
  access: [1],
  /** How many checks there are: it has no monitors. */
  leaks: [10_000],
  probes: [1],
  clients: [1_000],
  /** How many fail at once. */
  alerts: [1_000],
  history: [1_000],
  console: [10_000],
  backup: [10_000],
  memory: [5_000],
  threads: [5_000],
  readings: [10_000],
  cluster: [3_000],
  databases: [1_000],
} as const

type CaseName = keyof typeof standard

/** Throws where a name is unknown. */
export function casesOf(options: Options): Case[] {
  const names = options.names.length === 0 ? Object.keys(standard) : options.names
  return names.flatMap((name) => {
    if (!isCase(name)) throw new Error(`there is no case ${name}: ${Object.keys(standard)}`)
    const sizes = options.has('monitors') ? [options.number('monitors', 0)] : standard[name]
    return sizes.map((monitors) => caseOf(name, monitors, options))
  })
}

function usualInterval(monitors: number): number {
  return monitors > monitorsAtShortInterval ? 60 : 20
}

function isCase(name: string): name is CaseName {
  return Object.hasOwn(standard, name)
}

function caseOf(name: CaseName, monitors: number, { number, nodeArgs }: Options): Case {
  const runs: Record<CaseName, Case['run']> = {
    checks: (work) => {
      const intervalSeconds = number('interval', usualInterval(monitors))
      const warmupSeconds = number('warmup', intervalSeconds)
      const seconds = number('seconds', intervalSeconds)
      return measureChecks(work, { monitors, intervalSeconds, warmupSeconds, seconds, nodeArgs })
    },
    push: (work) => {
      const connections = number('connections', 50)
      const warmupSeconds = number('warmup', 3)
      const seconds = number('seconds', 10)
      return measurePush(work, { monitors, connections, warmupSeconds, seconds, nodeArgs })
    },
    pages: (work) => {
      const connections = number('connections', 64)
      const warmupSeconds = number('warmup', 2)
      const seconds = number('seconds', 6)
      const intervalSeconds = number('interval', 20)
      const load = { connections, warmupSeconds, seconds }
      return measurePages(work, { monitors, intervalSeconds, ...load, nodeArgs })
    },
    lists: (work) => {
      return measureLists(work, { monitors, intervalSeconds: number('interval', 60), nodeArgs })
    },
    access: (work) => {
      const connections = number('connections', 50)
      const warmupSeconds = number('warmup', 2)
      const seconds = number('seconds', 12)
      const logins = 200
      return measureAccess(work, { logins, connections, warmupSeconds, seconds, nodeArgs })
    },
    probes: (work) => {
      const connections = number('connections', 32)
      const warmupSeconds = number('warmup', 3)
      const seconds = number('seconds', 3)
      return measureProbes(work, { connections, warmupSeconds, seconds, nodeArgs })
    },
    clients: (work) => {
      const intervalSeconds = number('interval', 20)
      const connections = number('connections', 10_000)
      const seconds = number('seconds', 10)
      return measureClients(work, { monitors, intervalSeconds, connections, seconds, nodeArgs })
    },
    alerts: (work) => {
      return measureAlerts(work, { monitors, seconds: number('seconds', 10), nodeArgs })
    },
    console: (work) => {
      const intervalSeconds = number('interval', Math.max(10, Math.round(monitors / 250)))
      return measureConsole(work, {
        monitors,
        intervalSeconds,
        seconds: number('seconds', 30),
        nodeArgs,
      })
    },
    history: (work) => measureHistory(work, { monitors }),
    backup: (work) => {
      const intervalSeconds = number('interval', 20)
      const warmupSeconds = number('warmup', 20)
      const seconds = number('seconds', 20)
      const load = { jobs: 2_000, reportsPerSecond: 1_000 }
      return measureBackup(work, { monitors, intervalSeconds, warmupSeconds, seconds, ...load })
    },
    memory: (work) => {
      const [intervalSeconds, seconds] = [number('interval', 60), number('seconds', 120)]
      return measureSecureMemory(work, { monitors, intervalSeconds, seconds })
    },
    threads: (work) => {
      const [intervalSeconds, seconds] = [number('interval', 20), number('seconds', 20)]
      return measureThreads(work, { monitors, intervalSeconds, seconds, nodeArgs })
    },
    cluster: (work) => {
      const [intervalSeconds, seconds] = [number('interval', 10), number('seconds', 20)]
      return measureCluster(work, { monitors, intervalSeconds, seconds })
    },
    databases: (work) => {
      const [intervalSeconds, seconds] = [number('interval', 20), number('seconds', 40)]
      return measureDatabases(work, { monitors, intervalSeconds, seconds, nodeArgs })
    },
    readings: (work) => measureReadings(work, { monitors, nodeArgs }),
    leaks: (work) => measureLeaks(work, { checks: monitors }),
    start: (work) => {
      if (monitors <= monitorsOfSmallService) {
        return measurePrograms(work, { monitors, idleSeconds: number('seconds', 15) })
      }
      const intervalSeconds = number('interval', usualInterval(monitors))
      return measureStart(work, { monitors, intervalSeconds, nodeArgs })
    },
  }
  return { name: `${name}, ${monitors} monitors`, run: runs[name] }
}
