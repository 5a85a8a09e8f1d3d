// A proxy as companies have it: it connects where it is asked to, and looks into nothing.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Test } from 'tap'

/** A proxy that knows CONNECT alone. Returns its address, and where it was asked to connect. */
export async function startProxy(t: Test, status = 200) {
  const asked: string[] = []
  const server = createServer((_, reply) => reply.writeHead(500).end())
  server.on('connect', ({ url = '' }, socket) => {
    asked.push(url)
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const [host, port] = url.split(':')
    const other = connect(Number(port), host)
    other.on('connect', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    other.on('error', () => socket.destroy()).pipe(socket)
    socket.on('error', () => other.destroy()).pipe(other)
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}` }
}
