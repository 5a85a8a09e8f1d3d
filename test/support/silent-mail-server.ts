// A mail server on loopback that answers some commands, and is silent otherwise.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Test } from 'tap'

/** `answers` are by the first word of the command, and `greeting`. */
export async function startSilentMailServer(t: Test, answers: Readonly<Record<string, string>>) {
  /** `connected`, and each line. */
  const heard: string[] = []
  const server = createServer((socket) => {
    t.teardown(() => socket.destroy())
    function hear(line: string, name: string): void {
      heard.push(line)
      if (answers[name] !== undefined) socket.write(`${answers[name]}\r\n`)
    }
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        const lines = chunk.toString().split('\r\n').slice(0, -1)
        for (const line of lines) hear(line, line.split(/[ :]/, 1)[0] ?? '')
      })
    hear('connected', 'greeting')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { heard, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
