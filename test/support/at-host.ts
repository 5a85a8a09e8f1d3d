// Requests with a Host header of their own, which fetch does not send.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface HostAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Asks the server at a URL for the same path at another host. */
export function getAtHost(
  url: string,
  host: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HostAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { ...headers, host } }, (response) => {
      const { statusCode: status = 0 } = response
      text(response).then((body) => {
        resolve({ status, headers: response.headers, text: body })
      }, reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The status alone, of any method: what follows, such as a stream, is not waited for. */
export function statusAtHost(
  url: string,
  {
    host,
    method,
    headers,
  }: {
    readonly host: string
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
  },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, host } }, (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sent.on('error', reject)
    sent.end()
  })
}
