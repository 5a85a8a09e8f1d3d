// How the connections of a crowd behave.

export interface CrowdInput {
  readonly port: number
  /** Sent by busy connections, again and again. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export type Manner = 'slow head' | 'slow body' | 'unread answer' | 'silent' | 'busy'

export interface Behaviour {
  readonly first: string
  /** Sent after that, again and again. */
  readonly again: string
  readonly everyMs: number
  readonly isReading: boolean
  /** Not all of them at the same moment. */
  readonly isBusy: boolean
}

const dripMs = 3_000
const busyMs = 5_000
/** Shorter than the daemon waits for somebody who does not read: then there is another at once. */
const deafMs = 7_000

const body = 'Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"email":"'
const slow = { everyMs: dripMs, isReading: true, isBusy: false }

function get(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}\r\n`
}

export const behaviours: Readonly<Record<Manner, (input: CrowdInput) => Behaviour>> = {
  'slow head': () => {
    const first = 'GET /healthz HTTP/1.1\r\nHost: bench\r\nX-Slow: '
    return { ...slow, first, again: 'a' }
  },
  'slow body': () => {
    const first = `POST /api/v1/auth/login HTTP/1.1\r\nHost: bench\r\n${body}`
    return { ...slow, first, again: 'a'.repeat(20) }
  },
  'unread answer': () => {
    const first = get('/api/v1/openapi.json', {})
    return { first, again: '', everyMs: deafMs, isReading: false, isBusy: false }
  },
  silent: () => ({ ...slow, first: '', again: '' }),
  busy: ({ path, headers }) => {
    return { first: '', again: get(path, headers), everyMs: busyMs, isReading: true, isBusy: true }
  },
}
