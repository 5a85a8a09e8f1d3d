// A folder for a test that starts processes, servers or stores in it.
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'

type Content = Parameters<Test['testdir']>[0]

/**
 * As `t.testdir()`, but removed last, when everything that the test started has ended. By itself
 * tap removes a folder before it runs the teardowns that were added after it.
 */
export function testFolder(t: Test, content: Content = {}): string {
  t.teardown(() => {})
  begun.add(t)
  return t.testdir(content)
}

/** Tests that have a folder. */
const begun = new WeakSet<Test>()

/** A new folder in that of the test, for what may be there more than once. Taking the folder of the test empties it. */
export function innerFolder(t: Test, name: string): string {
  if (!begun.has(t)) testFolder(t)
  return mkdtempSync(join(t.testdirName, `${name}-`))
}
