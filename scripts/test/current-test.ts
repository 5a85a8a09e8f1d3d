// What test files get as `tap` when several run in one process: the test that stands for their file.
import root, { type Test } from 'tap'

let current: Test = root

/** From now on `import t from 'tap'` means this test. */
export function setCurrentTest(test: Test): void {
  current = test
}

/** Listeners of what all files of the process share, by event. */
export const sharedListeners = new Map<string | symbol, number>()

/**
 * Makes what all files of the process may use, and ends it after the last of them. Listeners that it
 * adds to the process are no file's.
 */
export async function shareInProcess<T>(
  make: () => Promise<T>,
  end: (made: T) => Promise<unknown>,
): Promise<T> {
  const before = new Map(process.eventNames().map((name) => [name, process.listenerCount(name)]))
  const made = await make()
  for (const name of process.eventNames()) {
    const added = process.listenerCount(name) - (before.get(name) ?? 0)
    sharedListeners.set(name, (sharedListeners.get(name) ?? 0) + added)
  }
  root.teardown(() => end(made))
  return made
}

/** Shared modules keep it over several files, so it always asks for the current one. */
const currentTest: typeof root = new Proxy(root, {
  get: (_target, name) => {
    const value: unknown = Reflect.get(current, name, current)
    return typeof value === 'function' ? value.bind(current) : value
  },
  set: (_target, name, value) => Reflect.set(current, name, value, current),
})

export default currentTest
