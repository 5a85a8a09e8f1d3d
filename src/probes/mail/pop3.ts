// The check of a POP3 server: greeting, certificate, and the size of a mailbox. Nothing is read or deleted.
// RFC 1939, RFC 2449 (CAPA), RFC 2595 (STLS)
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken, refusedBy } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import {
  type LineTalk,
  type MailboxUrl,
  needsStarttls,
  parseMailboxUrl,
  starttlsWords,
  talkTo,
} from '../run/line-talk.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { ProbeRun } from '../run/probe-run.ts'

const ports = { scheme: 'pop3', port: 110, tlsPort: 995 }
const usualPorts = new Set([ports.port, ports.tlsPort])
const protocol = 'POP3'

export const pop3 = defineKind({
  type: 'pop3',
  fields: ['connection', 'stream', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes: ['pop3', 'pop3s'],
  family: 'network',
  icon: 'inbox',
  example: 'pop3s://mail.example.com',
  urlForm:
    '`pop3://host[:port]` (110) or `pop3s://host[:port]` (995, TLS from the first byte). ' +
    `${starttlsWords}. ` +
    'The answer is JSON with `value`, the number of messages, and `bytes`; without `username`, with the `greeting`',
  finds: 'json',
  ownsQuery: true,
  typed: { keeps: 'host', ports: [...usualPorts] },
  usualPorts,
  parse: parsePop3Url,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const talk = await talkTo({ ...url, usualPorts }, run)
      const greeting = await said(talk)
      const found = await seen(talk, url, { target, run })
      await talk.end('QUIT')
      return answerOf(found ?? { greeting })
    },
  }),
})

function parsePop3Url(text: string): MailboxUrl | UrlFault {
  const url = parseMailboxUrl(text, ports)
  if (url.problem !== undefined) return url
  return url.path.length > 1 ? { problem: 'must not have a path' } : url
}

interface Pop3Check {
  readonly target: EndpointTarget
  readonly run: ProbeRun
}

/** What is in the mailbox; undefined where nobody signs in. */
async function seen(talk: LineTalk, url: MailboxUrl, { target }: Pop3Check) {
  const signsIn = Boolean(target.username)
  const isOffered = !url.isTls && url.starttls !== 'off' && (await offers(talk, 'STLS'))
  if (needsStarttls(url, { isOffered, signsIn })) {
    await ask(talk, 'STLS')
    await talk.secure(url.host)
  }
  if (!signsIn) return undefined
  await ask(talk, `USER ${target.username}`, 'signIn')
  await ask(talk, `PASS ${target.password ?? ''}`, 'signIn')
  const [, messages, bytes] = /^(\d+) (\d+)/.exec(await ask(talk, 'STAT')) ?? []
  if (messages === undefined) throw new RunError(notSpoken(protocol))
  return { value: Number(messages), bytes: Number(bytes) }
}

const capabilitiesMax = 100

/** Whether the server has a capability; one that knows no CAPA has none. */
async function offers(talk: LineTalk, wanted: string): Promise<boolean> {
  talk.say('CAPA')
  if (!(await talk.hear()).startsWith('+OK')) return false
  let isThere = false
  for (let line = 0; line < capabilitiesMax; line += 1) {
    const capability = await talk.hear()
    if (capability === '.') return isThere
    isThere ||= capability.toUpperCase().startsWith(wanted)
  }
  throw new RunError(notSpoken(protocol))
}

async function ask(talk: LineTalk, command: string, refusal: 'signIn' | 'error' = 'error') {
  talk.say(command)
  return said(talk, refusal)
}

/** The text of a good answer. */
async function said(talk: LineTalk, refusal: 'signIn' | 'error' = 'error'): Promise<string> {
  const line = await talk.hear()
  if (line.startsWith('+OK')) return line.slice(3).trim()
  if (!line.startsWith('-ERR')) throw new RunError(notSpoken(protocol))
  const [, code = '', text = ''] = /^-ERR\s*(?:\[([A-Z/-]+)\])?(.*)$/.exec(line) ?? []
  throw refusedBy(refusal, code, text)
}
