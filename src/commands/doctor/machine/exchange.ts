// One GET with the times of its phases, as `stillup doctor` measures targets.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Clock } from '../../../base/clock.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ExchangeResult } from '../model/world.ts'

/** One look of a check, so that the check can still say what it saw. */
export const doctorProbeMs = 2_500

/** Never rejects; ends after doctorProbeMs. Redirects are not followed. */
export function exchange(
  clock: Pick<Clock, 'wallMs' | 'monoMs' | 'setTimeout' | 'clearTimeout'>,
  url: URL,
  family?: 4 | 6,
): Promise<ExchangeResult> {
  // A literal address is not looked up, so its family is known.
  const literal = isIP(url.hostname.replace(/^\[|\]$/g, ''))
  if (family !== undefined && literal !== 0 && literal !== family) {
    return Promise.resolve({ ok: false, reason: `it is an address of IPv${literal}` })
  }
  return new Promise((resolve) => {
    const startedMs = clock.monoMs()
    let connectedMs = startedMs
    let securedMs: number | null = null
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, {
      ...(family === undefined ? {} : { family }),
      agent: false,
      headers: { 'user-agent': 'stillup-doctor', accept: '*/*', 'accept-encoding': 'identity' },
    })
    const end = (result: ExchangeResult) => {
      clock.clearTimeout(timer)
      request.destroy()
      resolve(result)
    }
    const fail = (error: unknown) => end({ ok: false, reason: reasonOf(error) })
    const timer = clock.setTimeout(() => {
      end({ ok: false, reason: `no answer within ${doctorProbeMs / 1_000} s` })
    }, doctorProbeMs)
    request.once('socket', (socket) => {
      socket.once('connect', () => {
        connectedMs = clock.monoMs()
      })
      socket.once('secureConnect', () => {
        securedMs = clock.monoMs()
      })
    })
    request.on('error', fail)
    request.once('response', (response) => {
      const firstMs = clock.monoMs()
      const arrivedAtMs = clock.wallMs()
      const { socket, statusCode = 0, headers } = response
      const dateMs = Date.parse(headers.date ?? '')
      const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
      const seen = {
        ok: true as const,
        status: statusCode,
        address: socket.remoteAddress ?? '',
        connectMs: connectedMs - startedMs,
        tlsMs: securedMs === null ? null : securedMs - connectedMs,
        firstByteMs: firstMs - (securedMs ?? connectedMs),
        dateMs: Number.isNaN(dateMs) ? null : dateMs,
        arrivedAtMs,
        certificateExpiresAtMs: certificate?.validToDate.getTime() ?? null,
      }
      let body = ''
      response.setEncoding('utf8')
      const finish = () => end({ ...seen, body })
      response.on('data', (chunk: string) => {
        body += chunk
        if (body.length > limits.doctorFileBytesMax) finish()
      })
      response.once('end', finish)
      response.once('error', finish)
    })
    request.end()
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Several addresses that all failed: the first says enough.
  const one = error instanceof AggregateError ? (error.errors[0] as Error) : error
  return one.message || error.message
}
