// The check of a directory by LDAP: signs in, and searches.
// https://www.rfc-editor.org/rfc/rfc4511
import type * as Library from 'ldapts'
import { requireLibrary } from '../../base/assets.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import type { RunError } from '../../net/run/guarded-run.ts'
import { readBytes } from '../run/byte-reader.ts'
import { lendSocket, type RefusalKind, refusedBy, withoutTls } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { type BerPart, notLdap, partsIn, textOf, wholeNumber } from './ldap-ber.ts'
import { parseServerUrl, type ServerUrl } from './server-url.ts'
import { textIn } from './shown-text.ts'

const ports = { ldap: 389, ldaps: 636 }
const usualPorts = new Set(Object.values(ports))
const scopes = ['base', 'one', 'sub'] as const
const options = { starttls: ['required'], scope: scopes, attributes: null } as const
type LdapUrl = ServerUrl<typeof options>

export const ldap = defineKind({
  type: 'ldap',
  family: 'network',
  fields: ['connection', 'stream', 'message', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes: Object.keys(ports),
  icon: 'book-user',
  example: 'ldaps://ldap.example.com/dc=example,dc=com',
  urlForm:
    '`ldaps://host[:port][/base]` (636) or `ldap://host[:port][/base]` (389; with `?starttls=required` TLS). ' +
    '`username` is the DN to sign in as (absent: nobody). `body` is a filter, which is searched for below the ' +
    'base, in `scope` (`sub`, `one` or `base`), for `attributes` with commas between them (absent: all). The ' +
    'answer is JSON with `value` (how many entries were found) and `entries` (the first 100, with lists of values)',
  finds: 'json',
  ownsQuery: true,
  message: { is: 'query', example: '(&(objectClass=person)(uid=ada))' },
  bodyProblem: filterProblem,
  problems: ({ username, password }) =>
    username !== null && password === null
      ? [{ pointer: '/password', keyword: 'required', message: 'is required' }]
      : [],
  typed: { ports: [...usualPorts] },
  usualPorts,
  parse: parseLdapUrl,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const { host, port, scheme, options } = url
      const place = { host, port, isTls: scheme === 'ldaps' }
      const isUsualPort = usualPorts.has(port)
      const library = requireLibrary('ldapts') as typeof Library
      const opened = await run.connect(place, { isUsualPort, handshake: { alpn: [] } })
      let talk = talkOn(opened.socket, run)
      if (options.starttls !== undefined) {
        const request = new library.ExtendedRequest({ messageId: 1, oid: startTls })
        const [code] = resultOf(await talk.ask(request, extendedResponse))
        if (code !== 0) throw withoutTls()
        if (talk.release() > 0) throw notLdap()
        const secured = await run.secure(opened.socket, host, { alpn: [] })
        talk = talkOn(secured.socket, run)
      }
      await signIn(talk, library, target)
      const found = target.body
        ? await search(talk, library, { url, target })
        : { value: 'success' }
      talk.send(new library.UnbindRequest({ messageId: 9 }))
      return answerOf(found)
    },
  }),
})

function parseLdapUrl(text: string): LdapUrl | UrlFault {
  const url = parseServerUrl(text, { ports, options, hasPath: true })
  if (url.problem !== undefined) return url
  if (url.scheme === 'ldaps' && url.options.starttls !== undefined) {
    return {
      problem: 'must not require STARTTLS on ldaps://, where TLS starts with the first byte',
    }
  }
  try {
    return { ...url, path: decodeURIComponent(url.path) }
  } catch {
    return { problem: 'must end after the base of the search, such as /dc=example,dc=com' }
  }
}

const filterCharsMax = 4_096

function filterProblem(body: string): string | null {
  if (body.length > filterCharsMax) return `must be at most ${filterCharsMax} characters`
  try {
    const { FilterParser } = requireLibrary('ldapts') as typeof Library
    FilterParser.parseString(body)
    return null
  } catch {
    return 'must be a filter such as (&(objectClass=person)(uid=ada))'
  }
}

const startTls = '1.3.6.1.4.1.1466.20037'

/** The tags of the answers (RFC 4511, appendix B). */
const [bindResponse, searchEntry, searchDone, searchReference] = [0x61, 0x64, 0x65, 0x73]
const [extendedResponse, intermediateResponse] = [0x78, 0x79]

type LdapTalk = ReturnType<typeof talkOn>

/** The server and a reader of its messages. */
function talkOn(socket: Parameters<typeof lendSocket>[1], run: ProbeRun) {
  lendSocket(run, socket, { protocol: 'LDAP' })
  const reader = readBytes(socket)
  const send = (request: Library.UnbindRequest): void => void socket.write(request.write())

  /** The operation of the next message that is an answer. */
  async function hear(): Promise<BerPart> {
    for (;;) {
      const head = await reader.take(2)
      const size = head.readUInt8(1)
      const more = size < 0x80 ? Buffer.alloc(0) : await reader.take(Math.min(size - 0x80, 4))
      if (head[0] !== 0x30 || size === 0x80) throw notLdap()
      const body = await reader.take(more.length === 0 ? size : more.readUIntBE(0, more.length))
      const [id, operation] = partsIn(body)
      if (id === undefined || operation === undefined) throw notLdap()
      // A message that answers nothing says why the server hangs up.
      if (wholeNumber(id) === 0) throw refusal(resultOf(operation))
      if (operation.tag !== intermediateResponse && operation.tag !== searchReference)
        return operation
    }
  }
  return {
    send,
    hear,
    release: reader.release,
    async ask(request: Library.UnbindRequest, tag: number): Promise<BerPart> {
      send(request)
      const answer = await hear()
      if (answer.tag !== tag) throw notLdap()
      return answer
    },
  }
}

type Result = readonly [code: number, text: string]

function resultOf({ value }: BerPart): Result {
  const [code, , text] = partsIn(value)
  if (code === undefined || text === undefined) throw notLdap()
  return [wholeNumber(code), textOf(text)]
}

/** https://www.rfc-editor.org/rfc/rfc4511#appendix-A */
const meanings: Readonly<Record<number, readonly [name: string, meaning: RefusalKind]>> = {
  8: ['strongerAuthRequired', 'signIn'],
  13: ['confidentialityRequired', 'signIn'],
  32: ['noSuchObject', 'missing'],
  48: ['inappropriateAuthentication', 'signIn'],
  49: ['invalidCredentials', 'signIn'],
  50: ['insufficientAccessRights', 'rights'],
  51: ['busy', 'notReady'],
  52: ['unavailable', 'notReady'],
}

function refusal([code, text]: Result): RunError {
  const [name, meaning] = meanings[code] ?? [String(code), 'error']
  return refusedBy(meaning, name, text)
}

async function signIn(
  talk: LdapTalk,
  { BindRequest }: typeof Library,
  { username, password }: EndpointTarget,
): Promise<void> {
  const login = { dn: username ?? '', password: username ? (password ?? '') : '' }
  const result = resultOf(await talk.ask(new BindRequest({ messageId: 2, ...login }), bindResponse))
  if (result[0] !== 0) throw refusal(result)
}

const entriesMax = 1_000
const entriesShownMax = 100
const sizeLimitExceeded = 4

interface Searching {
  readonly url: LdapUrl
  readonly target: EndpointTarget
}

async function search(
  talk: LdapTalk,
  { SearchRequest, FilterParser }: typeof Library,
  { url: { path, options }, target }: Searching,
) {
  const request = {
    messageId: 3,
    baseDN: path,
    scope: (options.scope ?? (path === '' ? 'base' : 'sub')) as (typeof scopes)[number],
    filter: FilterParser.parseString(target.body ?? ''),
    attributes: options.attributes?.split(',') ?? [],
    sizeLimit: entriesMax,
    timeLimit: Math.ceil(target.timeoutMs / 1_000),
  } as const
  talk.send(new SearchRequest(request))
  const entries: object[] = []
  for (let count = 0; ; count += 1) {
    const answer = await talk.hear()
    if (answer.tag === searchEntry) {
      if (count < entriesShownMax) entries.push(entryOf(answer))
      continue
    }
    if (answer.tag !== searchDone) throw notLdap()
    const result = resultOf(answer)
    const hasMore = result[0] === sizeLimitExceeded
    if (result[0] !== 0 && !hasMore) throw refusal(result)
    return { value: count, ...(hasMore ? { hasMore } : {}), entries }
  }
}

/** `{dn, mail: ['ada@example.com']}`. */
function entryOf({ value }: BerPart): object {
  const [dn, attributes] = partsIn(value)
  if (dn === undefined || attributes === undefined) throw notLdap()
  const pairs = partsIn(attributes.value).map((attribute) => {
    const [name, values] = partsIn(attribute.value)
    if (name === undefined || values === undefined) throw notLdap()
    return [textOf(name), partsIn(values.value).map(shownValue)] as const
  })
  return { dn: textOf(dn), ...Object.fromEntries(pairs) }
}

/** The GUID of Active Directory, for one, is shown in base64. */
const shownValue = ({ value }: BerPart): string => textIn(value) ?? value.toString('base64')
