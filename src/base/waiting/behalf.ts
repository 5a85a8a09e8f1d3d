// On whose behalf something runs, found through the asynchronous context: what shares the event loop or
// the disk takes turns by it. A parameter of each function would be forgotten in one of them.
import { AsyncLocalStorage } from 'node:async_hooks'

interface Behalf {
  /** Undefined once the work has ended: what it left behind is the service's own. */
  owner: string | undefined
}

const behalves = new AsyncLocalStorage<Behalf>()

/** Whose work this is; undefined for the service's own. */
export function currentOwner(): string | undefined {
  return behalves.getStore()?.owner
}

/** Runs `work`, which is the owner's until it has ended. */
export function onBehalfOf<T>(owner: string, work: () => T): T {
  const behalf: Behalf = { owner }
  const end = () => {
    behalf.owner = undefined
  }
  const result = behalves.run(behalf, work)
  if (result instanceof Promise) result.then(end, end)
  else end()
  return result
}
