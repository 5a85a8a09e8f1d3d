// The DevTools protocol of Chromium: commands and events as JSON messages, over whatever carries them.
// https://chromedevtools.github.io/devtools-protocol/
import type { Clock } from '../../base/clock.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { within } from '../../base/timeout.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What carries messages to the browser. */
export interface DevtoolsCarrier {
  send(message: string): void
  /** Called once, before anything is sent. */
  listen(listener: { message(text: string): void; closed(): void }): void
}

/** The browser did not do what it was told. `code`: of JSON-RPC; 0: it is gone, or did not answer in time. */
export class DevtoolsError extends Error {
  override readonly name = 'DevtoolsError'
  readonly code: number

  constructor(message: string, code = 0) {
    super(message)
    this.code = code
  }
}

export type Devtools = ReturnType<typeof openDevtools>

interface PendingCommand {
  resolve(result: Fields): void
  reject(error: DevtoolsError): void
}

const gone = () => new DevtoolsError('the browser is gone')

export function openDevtools(carrier: DevtoolsCarrier, clock: Clock) {
  const pending = new Map<number, PendingCommand>()
  const listeners = new Set<(method: string, params: Fields, sessionId: string) => void>()
  let newestId = 0
  let isClosed = false
  let close = (): void => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })

  carrier.listen({
    message(text) {
      const message = parsed(text)
      if (message === undefined) return
      const { id, method } = message
      if (typeof id === 'number') {
        const command = pending.get(id)
        pending.delete(id)
        if (isRecord(message.error)) {
          const { message: said, code } = message.error
          command?.reject(new DevtoolsError(String(said), Number(code)))
        } else command?.resolve(isRecord(message.result) ? message.result : {})
      } else if (typeof method === 'string') {
        const params = isRecord(message.params) ? message.params : {}
        for (const listener of listeners) listener(method, params, String(message.sessionId ?? ''))
      }
    },
    closed() {
      isClosed = true
      for (const command of pending.values()) command.reject(gone())
      pending.clear()
      close()
    },
  })

  return {
    /** Resolves when the browser is gone. */
    closed,
    isClosed: () => isClosed,
    listen(listener: (method: string, params: Fields, sessionId: string) => void): void {
      listeners.add(listener)
    },

    /** Rejects with a DevtoolsError if it is refused, or not answered within the time. */
    async send(
      method: string,
      params: Fields,
      { sessionId, timeoutMs }: { readonly sessionId?: string; readonly timeoutMs: number },
    ): Promise<Fields> {
      if (isClosed) throw gone()
      newestId += 1
      const id = newestId
      const answer = new Promise<Fields>((resolve, reject) => {
        pending.set(id, { resolve, reject })
      })
      const session = sessionId === undefined ? {} : { sessionId }
      carrier.send(JSON.stringify({ id, method, params, ...session }))
      const result = await within(clock, answer, Math.max(0, timeoutMs))
      if (result !== undefined) return result
      pending.delete(id)
      throw new DevtoolsError(`${method} was not answered in time`)
    },
  }
}

function parsed(text: string): Fields | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isRecord(message) ? message : undefined
  } catch {
    return undefined
  }
}
