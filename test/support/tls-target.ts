// A TLS server on loopback that negotiates as badly as a test wants, and staples what it says.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import type { Test } from 'tap'

export interface TlsTargetOptions extends tls.TlsOptions {
  /** An OCSP response, for whoever asks. */
  readonly staple?: Buffer
  readonly address?: string
}

/** Takes weak keys and old versions, unlike Node by itself. Closed with the test. */
export async function startTlsTarget(t: Test, options: TlsTargetOptions): Promise<number> {
  const { staple, address = '127.0.0.1', ...rest } = options
  const lax = { ciphers: 'DEFAULT:@SECLEVEL=0', minVersion: 'TLSv1' } as const
  const server = tls.createServer({ ...lax, ...rest })
  server.on('secureConnection', (socket) => socket.on('error', () => {}))
  server.on('tlsClientError', () => {})
  if (staple) {
    type Respond = (error: Error | null, response: Buffer) => void
    server.on('OCSPRequest', (_certificate, _issuer, done: Respond) => done(null, staple))
  }
  server.listen(0, address)
  await once(server, 'listening')
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  return port
}
