// The switch before a cluster, as operators put one there: it asks each member /readyz, and passes requests to
// whoever is ready.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

const askEveryMs = 100
const answerMsMax = 1_000

export type Switch = Awaited<ReturnType<typeof startSwitch>>

/** Answers 503 where no member is ready. */
export async function startSwitch(t: Test, ports: readonly number[]) {
  const ready = new Set<number>()
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  let sinceMs: number | undefined
  let longestMs = 0

  function note(port: number, isReady: boolean): void {
    if (isReady) ready.add(port)
    else ready.delete(port)
    if (ready.size === 0) sinceMs ??= performance.now()
    else if (sinceMs !== undefined) {
      longestMs = Math.max(longestMs, performance.now() - sinceMs)
      sinceMs = undefined
    }
  }

  async function watch(port: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const url = `http://127.0.0.1:${port}/readyz`
      const asked = AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)])
      const isReady = await fetch(url, { signal: asked }).then(
        (answer) => answer.text().then(() => answer.ok),
        () => false,
      )
      note(port, isReady)
      await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    }
  }

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const [port] = ready
    answer.on('error', () => {})
    if (port === undefined) {
      refuse(answer)
      return
    }
    const { method, url: path, headers } = asked
    const onward = request({ host: '127.0.0.1', port, method, path, headers, agent }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.on('error', () => answer.destroy())
      reply.pipe(answer)
    })
    // Whether it was done is not known.
    onward.on('error', () => answer.destroy())
    asked.on('error', () => onward.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  }

  const server = createServer(pass)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const over = new AbortController()
  t.teardown(() => {
    over.abort()
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  for (const port of ports) void watch(port, over.signal)
  return {
    port: (server.address() as AddressInfo).port,
    /** The ports of members that say that they are ready. */
    ready: () => [...ready],
    /** The longest time without any. */
    longestMs: () => longestMs,
  }
}

function refuse(answer: ServerResponse): void {
  answer.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' })
  answer.end('{"error":"nobody leads"}')
}
