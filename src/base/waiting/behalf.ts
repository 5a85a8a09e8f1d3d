// The owner of the work in progress, kept in the asynchronous context: owners take turns at the event loop
// and at the disk. As a parameter of every function, it would be forgotten in one of them.
import { AsyncLocalStorage } from 'node:async_hooks'

interface Behalf {
  /** Undefined once the work has ended: what it left behind is the service's own. */
  owner: string | undefined
}

const behalves = new AsyncLocalStorage<Behalf>()

/** Who owns the work in progress; undefined: the service itself. */
export function currentOwner(): string | undefined {
  return behalves.getStore()?.owner
}

/** Runs `work`, which belongs to the owner until it has ended. */
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
