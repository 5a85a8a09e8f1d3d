// The check of an IMAP server: greeting, certificate, and how many messages a folder has. Nothing is read.
// RFC 9051, RFC 3501
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

const ports = { scheme: 'imap', port: 143, tlsPort: 993 }
const usualPorts = new Set([ports.port, ports.tlsPort])
const protocol = 'IMAP'

export const imap = defineKind({
  type: 'imap',
  fields: ['connection', 'stream', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes: ['imap', 'imaps'],
  family: 'network',
  icon: 'mailbox',
  example: 'imaps://mail.example.com',
  urlForm:
    '`imap://host[:port][/folder]` (143) or `imaps://host[:port][/folder]` (993, TLS from the first byte). ' +
    `${starttlsWords}. ` +
    'The answer is JSON with ' +
    '`value`, the number of messages in the folder (INBOX), and how many are `unseen`; without `username`, ' +
    'with the `greeting`',
  finds: 'json',
  ownsQuery: true,
  typed: { keeps: 'host', ports: [...usualPorts] },
  usualPorts,
  parse: parseImapUrl,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const talk = await talkTo({ ...url, usualPorts }, run)
      const greeting = await talk.hear()
      if (!/^\* (OK|PREAUTH)\b/i.test(greeting)) throw refusal(greeting, 'error')
      const found = await seen(talk, url, target)
      await talk.end('bye LOGOUT')
      return answerOf(found ?? { greeting: greeting.slice('* OK '.length) })
    },
  }),
})

interface ImapUrl extends MailboxUrl {
  readonly folder: string
}

function parseImapUrl(text: string): ImapUrl | UrlFault {
  const url = parseMailboxUrl(text, ports)
  if (url.problem !== undefined) return url
  const folder = folderIn(url.path)
  if (folder === undefined) return { problem: 'must name a folder of visible ASCII characters' }
  return { ...url, folder }
}

function folderIn(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path.slice(1)) || 'INBOX'
    return /^[\x20-\x7e]+$/.test(name) ? name : undefined
  } catch {
    return undefined
  }
}

/** What is in the folder; undefined where nobody signs in. */
async function seen(talk: LineTalk, url: ImapUrl, target: EndpointTarget) {
  const { username, password } = target
  const signsIn = Boolean(username)
  const capabilities = url.isTls ? [] : await ask(talk, 'CAPABILITY')
  const isOffered = capabilities.some((line) => /\bSTARTTLS\b/i.test(line))
  if (needsStarttls(url, { isOffered, signsIn })) {
    await ask(talk, 'STARTTLS')
    await talk.secure(url.host)
  }
  if (!signsIn) return undefined
  await ask(talk, `LOGIN ${quoted(username ?? '')} ${quoted(password ?? '')}`, 'signIn')
  const answers = await ask(talk, `STATUS ${quoted(url.folder)} (MESSAGES UNSEEN)`, 'missing')
  const answer = answers.at(0) ?? ''
  if (!/^\* STATUS /i.test(answer)) throw new RunError(notSpoken(protocol))
  const counts = answer.slice(answer.lastIndexOf('(') + 1)
  const count = (name: string) => new RegExp(`\\b${name} (\\d+)`, 'i').exec(counts)?.[1]
  const [messages, unseen] = [count('MESSAGES'), count('UNSEEN')]
  if (messages === undefined) throw new RunError(notSpoken(protocol))
  return { value: Number(messages), unseen: Number(unseen ?? 0), folder: url.folder }
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

const linesMax = 100
/** Each command is answered before the next one, so that all may have the same tag. */
const tag = 's1'

/** The untagged lines before the end of the command. */
async function ask(
  talk: LineTalk,
  command: string,
  refused: 'signIn' | 'missing' | 'error' = 'error',
): Promise<readonly string[]> {
  talk.say(`${tag} ${command}`)
  const lines: string[] = []
  while (lines.length < linesMax) {
    const line = await talk.hear()
    if (!line.startsWith(`${tag} `)) {
      lines.push(line)
      continue
    }
    if (/^\S+ OK\b/i.test(line)) return lines
    throw refusal(line, refused)
  }
  throw new RunError(notSpoken(protocol))
}

/** RFC 5530: the code in brackets says more than NO. */
function refusal(line: string, kind: 'signIn' | 'missing' | 'error'): RunError {
  const [, code = '', text = ''] =
    /^\S+ (?:NO|BAD|BYE)\s*(?:\[([A-Z-]+)[^\]]*\])?(.*)$/i.exec(line) ?? []
  if (text === '' && code === '') return new RunError(notSpoken(protocol))
  return refusedBy(kind, code, text)
}
