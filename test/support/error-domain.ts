// What tap uses in place of async-hook-domain (fast-start.ts): the test that an uncaught error belongs to.
//
// async-hook-domain follows every promise from the test that began it, which takes a fifth of the time of
// tests with many promises. Tests run one after the other here, so the error belongs to the one that was
// begun last and has not ended.

import { AsyncResource, executionAsyncResource } from 'node:async_hooks'

type OnError = (error: unknown, type: string) => void

/** In the order in which they began. */
const open = new Set<Domain>()

/** As tap uses it: one for each test, made before the test begins, until it ends. */
export class Domain {
  readonly onerror: OnError

  /** Is called within the resource of the test, in which tap then runs it. */
  constructor(onerror: OnError) {
    this.onerror = onerror
    const resource = executionAsyncResource()
    if (!(resource instanceof AsyncResource)) {
      open.add(this)
      return
    }
    resource.runInAsyncScope = (begin, self, ...args) => {
      Reflect.deleteProperty(resource, 'runInAsyncScope')
      open.add(this)
      return resource.runInAsyncScope(begin, self, ...args)
    }
  }

  destroy(): void {
    open.delete(this)
  }
}

process.on('uncaughtExceptionMonitor', (error, type) => {
  const last = [...open].at(-1)
  const isHandled =
    process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0
  if (!last || isHandled) return
  last.onerror(error, type)
  // The error ends the process unless somebody takes it.
  process.setUncaughtExceptionCaptureCallback(() => {
    process.setUncaughtExceptionCaptureCallback(null)
  })
})
