// One GET of our own address, as `stillup doctor` sees whether it leads here.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Clock } from '../../../base/clock.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ExchangeResult } from '../model/world.ts'

/** One look of a check, so that the check can still say what it saw. */
export const doctorProbeMs = 2_500

/** The promise never rejects, and resolves within doctorProbeMs. Redirects are not followed. */
export function exchange(
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  url: URL,
): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, {
      agent: false,
      headers: { 'user-agent': 'stillup-doctor', accept: '*/*', 'accept-encoding': 'identity' },
    })
    const end = (result: ExchangeResult) => {
      clock.clearTimeout(timer)
      request.destroy()
      resolve(result)
    }
    const timer = clock.setTimeout(() => {
      end({ ok: false, reason: `no answer within ${doctorProbeMs / 1_000} s` })
    }, doctorProbeMs)
    request.on('error', (error) => end({ ok: false, reason: reasonOf(error) }))
    request.once('response', (response) => {
      let body = ''
      response.setEncoding('utf8')
      const finish = () => end({ ok: true, body })
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

function reasonOf(error: Error): string {
  // Several addresses that all failed: the first says enough.
  const one = error instanceof AggregateError ? (error.errors[0] as Error) : error
  return one.message || error.message
}
