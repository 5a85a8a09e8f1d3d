// Says why nobody can listen on an address, and what to do about it.
import { createServer } from 'node:net'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { hostPort } from './address.ts'

export interface RefusedAddress {
  /** null: every address of the machine. */
  readonly host: string | null
  readonly port: number
  /** The setting that names the address. */
  readonly setting: 'http.listen' | 'http.tlsListen'
  /** What the system said; undefined where it does not refuse any more. */
  readonly cause: Error | undefined
}

/** What the system says of an address that uWebSockets.js could not listen on. */
export function refusalOf(host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

/** A restart helps where the port becomes free or the address comes later (74), else not (78). */
export function cannotListen({ host, port, setting, cause }: RefusedAddress): StartFailure {
  const where = host === null ? `port ${port}` : hostPort(host, port)
  const code = cause && 'code' in cause ? String(cause.code) : undefined
  const other = (free: number) => (host === null ? `:${free}` : hostPort(host, free))
  const variable = setting === 'http.listen' ? 'STILLUP_HTTP_LISTEN' : 'STILLUP_HTTP_TLS_LISTEN'
  const elsewhere = (free: number) => `with ${setting} (${variable}=${other(free)})`
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return new StartFailure(
        exitCodes.config,
        `cannot listen on ${where}: this user may not use a port below 1024`,
        {
          hint:
            `Choose a higher one ${elsewhere(port + 8_000)}, or permit it: docs/tls.md says how. ` +
            'In a container, publish the low port on a higher one.',
          cause,
        },
      )
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new StartFailure(
        exitCodes.io,
        `cannot listen on ${where}: the address does not belong to this machine`,
        { hint: `Choose one of this machine with ${setting} (${variable}).`, cause },
      )
    case 'EADDRINUSE':
      return new StartFailure(
        exitCodes.io,
        `cannot listen on ${where}: another program uses the port`,
        {
          hint: `Stop that program, or choose another port ${elsewhere(port === 65_535 ? 8080 : port + 1)}.`,
          cause,
        },
      )
    default:
      return new StartFailure(
        exitCodes.io,
        `cannot listen on ${where}${cause ? `: ${cause.message}` : ''}`,
        { hint: `Try again, or choose another address with ${setting} (${variable}).`, cause },
      )
  }
}
