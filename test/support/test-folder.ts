// A folder for a test that starts processes, servers or stores in it.
import type { Test } from 'tap'

type Content = Parameters<Test['testdir']>[0]

/**
 * As `t.testdir()`, but removed last, when everything that the test started has ended. By itself
 * tap removes a folder before it runs the teardowns that were added after it.
 */
export function testFolder(t: Test, content: Content = {}): string {
  t.teardown(() => {})
  return t.testdir(content)
}
