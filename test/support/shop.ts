// A small shop for browsers: a form to sign in with, and pages that behave badly.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Test } from 'tap'

export interface Shop {
  readonly url: string
  readonly port: number
  /** The paths that were asked for. */
  readonly asked: string[]
}

type Pages = Readonly<
  Record<string, string | ((told: ServerResponse, asked: IncomingMessage) => void)>
>

export async function startShop(
  t: Pick<Test, 'after'>,
  pages: Pages,
  host = '127.0.0.1',
): Promise<Shop> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1).join('') ?? ''
    asked.push(`${request.method} ${path}`)
    const page = pages[path]
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (typeof page === 'function') return page(response, request)
    response.statusCode = page === undefined ? 404 : 200
    response.end(page ?? '')
  })
  // A test ends although it listens.
  server.unref()
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`)
    socket.destroy()
  })
  server.on('upgrade', (request, socket) => {
    asked.push(`UPGRADE ${request.url}`)
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${port}`, port, asked }
}
