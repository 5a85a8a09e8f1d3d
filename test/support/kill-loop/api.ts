// A lean client for load: kept connections, and a rejection wherever no whole answer came.
import { Pool } from 'undici'

export interface Reply {
  readonly status: number
  /** The whole body, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: answers have every shape
  readonly body: any
  /** `data` of the envelope. */
  // biome-ignore lint/suspicious/noExplicitAny: answers have every shape
  readonly data: any
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface Api {
  /** The path is below /api/v1. Rejects where the connection broke: nobody knows what was done. */
  ask(
    method: string,
    path: string,
    json?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>
  /** Breaks off whatever is under way. */
  close(): Promise<void>
}

export function createApi(port: number, credential: Readonly<Record<string, string>>): Api {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32 })
  return {
    async ask(method, path, json, headers = {}) {
      const response = await pool.request({
        method: method as 'GET',
        path: `/api/v1${path}`,
        headers: {
          ...credential,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
      const text = await response.body.text()
      const body = text === '' ? undefined : JSON.parse(text)
      return { status: response.statusCode, body, data: body?.data, headers: response.headers }
    },
    close: () => pool.destroy(),
  }
}
