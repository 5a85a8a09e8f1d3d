// A small file system of a test's own, in memory. Needs root.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** Why there can be none here; false if there can. */
export const noMount =
  process.platform === 'linux' && process.geteuid?.() === 0
    ? false
    : 'mounting a small disk needs root on Linux'

/** Its path, or undefined where even root may not mount. Removed with the test. */
export function mountSmall(t: Test, mebibytes: number): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'stillup-disk-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  try {
    mount('-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', dir)
  } catch {
    return undefined
  }
  t.teardown(() => execFileSync('umount', ['--lazy', dir]))
  return dir
}

/** Nothing can be written there any more. */
export function makeReadOnly(dir: string): void {
  mount('-o', 'remount,ro', dir)
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}
