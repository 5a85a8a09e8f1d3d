// A disk under a test's control: built with gcc when the test runs, told what to do through a file.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { skipWithout } from '../programs.ts'
import { until } from '../until.ts'

export interface DiskShim {
  /** For the process whose disk it is. */
  readonly env: Readonly<Record<string, string>>
  /**
   * From now on each flush waits until the disk is to behave, or with `meta` what follows each write of a meta
   * page, which commits; resolves once one does.
   */
  hold(place?: 'sync' | 'meta'): Promise<void>
  /** The next flush, write of data pages, or write of a meta page fails, once. */
  fail(place: 'sync' | 'page' | 'meta', errno: number): void
  behave(): void
  /** For a process whose n-th call to the disk fails. */
  failAt(n: number, errno: number): Readonly<Record<string, string>>
  /** For a process whose calls are recorded in a file: disk-log.ts reads it. */
  record(path: string): Readonly<Record<string, string>>
}

/** Why tests with it are skipped; false: they are not. */
export const skipWithoutShim = () =>
  process.platform === 'linux' ? skipWithout('gcc') : 'LD_PRELOAD needs Linux'

/** What gcc made of it; a file that needs several of them builds one. */
let built: Buffer | undefined

function build(library: string): Buffer {
  const source = join(import.meta.dirname, 'disk-shim.c')
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-Wall', '-o', library, source, '-ldl'])
  return readFileSync(library)
}

export function buildShim(dir: string): DiskShim {
  const library = join(dir, 'disk-shim.so')
  const control = join(dir, 'disk-shim.told')
  const held = `${control}.held`
  built ??= build(library)
  writeFileSync(library, built)
  const tell = (text: string) => writeFileSync(control, `${text}\n`)
  const env = { LD_PRELOAD: library, DISK_SHIM: control }
  return {
    env,
    failAt: (n, errno) => ({ ...env, DISK_SHIM_FAIL_AT: `${n}`, DISK_SHIM_ERRNO: `${errno}` }),
    record: (path) => ({ ...env, DISK_SHIM_LOG: path }),
    async hold(place = 'sync') {
      rmSync(held, { force: true })
      tell(`hold ${place} 1`)
      await until(() => existsSync(held))
    },
    fail: (place, errno) => tell(`fail ${place} ${errno}`),
    behave: () => rmSync(control, { force: true }),
  }
}
