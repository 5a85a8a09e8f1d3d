// What Linux tells of a process: the processor time and the memory it has taken. And of the others.
import { readdirSync, readFileSync } from 'node:fs'

// USER_HZ: 100 on every Linux that Node runs on.
const ticksPerSecond = 100

export interface Memory {
  readonly rssKb: number
  /** Resident memory without the pages of files, such as the mapped database. */
  readonly anonKb: number
}

/** User and system time of all threads, in seconds. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The name in parentheses may hold spaces: fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The same of the thread that the process began with. */
export function mainThreadSecondsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e9
}

/** What the whole machine has worked, in seconds of one core; time taken by its host included. */
export function busySeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1)
  const [user, nice, system, _idle, _waiting, irq, softIrq, steal] = line.split(/ +/).slice(1)
  const ticks = [user, nice, system, irq, softIrq, steal].map(Number)
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond
}

/** How many files and sockets it has open. */
export function filesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1])
  return { rssKb: kb('VmRSS'), anonKb: kb('RssAnon') }
}
