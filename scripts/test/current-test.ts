// What test files get as `tap` when several run in one process: the test that stands for their file.
import root, { type Test } from 'tap'

let current: Test = root

/** From now on `import t from 'tap'` means this test. */
export function setCurrentTest(test: Test): void {
  current = test
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
