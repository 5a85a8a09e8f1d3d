// The check of an FTP server: signs in, and asks for the age and the size of a file. Nothing is transferred.
// RFC 959, RFC 3659 (MDTM, SIZE), RFC 4217 (AUTH TLS)
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken, type RefusalKind, refusedBy, withoutTls } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import { type LineTalk, talkTo } from '../run/line-talk.ts'
import { parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'
import type { ProbeRun } from '../run/probe-run.ts'

const [ftpPort, ftpsPort] = [21, 990]
const usualPorts = new Set([ftpPort, ftpsPort])
const protocol = 'FTP'

export const ftp = defineKind({
  type: 'ftp',
  fields: ['connection', 'streams', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes: ['ftp', 'ftps'],
  family: 'machine',
  icon: 'folder-down',
  example: 'ftp://files.example.com/backups/db.dump',
  urlForm:
    '`ftp://host[:port][/path]` (21) or `ftps://host[:port][/path]` (990, TLS from the first byte). TLS begins ' +
    'before the sign-in if the server offers it; with `?tls=required` a server that does not offer it is down, ' +
    'with `?tls=off` it does not begin. With a path the file has to be there, and the answer is JSON with ' +
    '`value`, its age in seconds, `bytes` and `modifiedAt`; else with the `greeting`. Absent `username`: anonymous',
  finds: 'json',
  ownsQuery: true,
  typed: { ports: [ftpPort] },
  usualPorts,
  parse: parseFtpUrl,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const talk = await talkTo({ ...url, usualPorts }, run)
      const greeting = await heard(talk, 'notReady')
      await secured(talk, url)
      await signIn(talk, target)
      const found =
        url.path === '' ? { greeting: greeting.text } : await fileAt(talk, url.path, run)
      await talk.end('QUIT')
      return answerOf(found)
    },
  }),
})

interface FtpUrl {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly tls?: string
  /** '' if the URL has none. */
  readonly path: string
  readonly problem?: never
}

function parseFtpUrl(text: string): FtpUrl | UrlFault {
  const url = parsePlaceUrl(text, ['ftp', 'ftps'])
  if (url.problem !== undefined) return url
  const options = readOptions(url.query, { tls: ['required', 'off'] })
  if ('problem' in options) return options as UrlFault
  const isTls = url.scheme === 'ftps'
  const { tls } = options
  if (isTls && tls !== undefined) {
    return { problem: 'must not have tls with ftps://, where TLS is there from the start' }
  }
  const path = pathIn(url.path)
  if (path === undefined) return { problem: 'must have a path without control characters' }
  const place = { host: url.host, port: url.port ?? (isTls ? ftpsPort : ftpPort), isTls, path }
  return tls === undefined ? place : { ...place, tls }
}

function pathIn(encoded: string): string | undefined {
  try {
    const path = decodeURIComponent(encoded)
    return /\p{Cc}/u.test(path) ? undefined : path.replace(/^\/$/, '')
  } catch {
    return undefined
  }
}

interface FtpReply {
  readonly code: number
  readonly text: string
}

const replyLinesMax = 100

/** A reply of one line or several: RFC 959 §4.2. */
async function reply(talk: LineTalk): Promise<FtpReply> {
  const first = await talk.hear()
  const [, code = '', more, text = ''] = /^([1-5]\d\d)([ -]?)(.*)$/.exec(first) ?? []
  if (code === '') throw new RunError(notSpoken(protocol))
  if (more !== '-') return { code: Number(code), text }
  for (let line = 1; line < replyLinesMax; line += 1) {
    if ((await talk.hear()).startsWith(`${code} `)) return { code: Number(code), text }
  }
  throw new RunError(notSpoken(protocol))
}

/** A good reply, or one that asks for more. */
async function heard(talk: LineTalk, refusal: RefusalKind): Promise<FtpReply> {
  const found = await reply(talk)
  if (found.code >= 400) throw refusedBy(refusal, String(found.code), found.text)
  return found
}

function ask(talk: LineTalk, command: string, refusal: RefusalKind): Promise<FtpReply> {
  talk.say(command)
  return heard(talk, refusal)
}

async function secured(talk: LineTalk, { host, isTls, tls }: FtpUrl): Promise<void> {
  if (isTls || tls === 'off') return
  talk.say('AUTH TLS')
  const { code } = await reply(talk)
  if (code === 234) await talk.secure(host)
  else if (tls === 'required') throw withoutTls()
}

async function signIn(talk: LineTalk, { username, password }: EndpointTarget): Promise<void> {
  const { code } = await ask(talk, `USER ${username ?? 'anonymous'}`, 'signIn')
  if (code === 331) await ask(talk, `PASS ${password ?? 'anonymous@'}`, 'signIn')
}

async function fileAt(talk: LineTalk, path: string, { clock }: ProbeRun) {
  await ask(talk, 'TYPE I', 'error')
  const { text: size } = await ask(talk, `SIZE ${path}`, 'missing')
  const { text: time } = await ask(talk, `MDTM ${path}`, 'missing')
  const [, y = '', mo = '', d = '', h = '', mi = '', s = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(time) ?? []
  const atMs = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)
  if (Number.isNaN(atMs) || !/^\d+$/.test(size)) throw new RunError(notSpoken(protocol))
  const ageSeconds = Math.round((clock.nowMs() - atMs) / 1_000)
  return { value: ageSeconds, bytes: Number(size), modifiedAt: new Date(atMs).toISOString() }
}
