// A cable between a member and its NATS servers that can be cut in one direction.
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import { freePort } from '../free-port.ts'

export type Direction = 'out' | 'in'

export interface Cable {
  readonly port: number
  /** From now on nothing arrives in this direction, nor does anybody learn of it. */
  cut(direction: Direction): void
  /** As `cut`, from the moment on at which these words are sent; resolves then. */
  cutAt(words: string, direction: Direction): Promise<void>
  /** What was sent meanwhile arrives late, or is lost together with its connection. */
  mend(isLate: boolean): void
}

/** Passes on what comes to its port. */
export async function layCable(t: Test, to: number): Promise<Cable> {
  let lost: Direction | undefined
  let trigger: { readonly words: string; readonly run: () => void } | undefined
  let held: { readonly sockets: readonly [Socket, Socket]; readonly run: () => void }[] = []
  const open = new Set<Socket>()

  function pass(from: Socket, onto: Socket, direction: Direction): void {
    const deliver = (run: () => void) => {
      if (lost === direction) held.push({ sockets: [from, onto], run })
      else run()
    }
    open.add(from)
    from.on('data', (bytes) => {
      if (trigger && direction === 'out' && bytes.includes(trigger.words)) trigger.run()
      deliver(() => onto.write(bytes))
    })
    from.on('error', () => {})
    from.on('close', () => {
      open.delete(from)
      deliver(() => onto.destroy())
    })
  }

  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    pass(near, far, 'out')
    pass(far, near, 'in')
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return {
    port,
    cut(direction) {
      lost = direction
    },
    cutAt: (words, cutDirection) =>
      new Promise((resolve) => {
        const run = () => {
          trigger = undefined
          lost = cutDirection
          resolve()
        }
        trigger = { words, run }
      }),
    mend(isLate) {
      trigger = undefined
      lost = undefined
      const late = held
      held = []
      for (const { sockets, run } of late) {
        if (isLate) run()
        else for (const socket of sockets) socket.destroy()
      }
    },
  }
}
