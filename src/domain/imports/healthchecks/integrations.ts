// Integrations of Healthchecks: GET /api/v3/channels/ tells their ids, names and kinds, and nothing else.
// They become channels that wait for what is missing.
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  listOf,
  type NotesOf,
  nameOf,
  textOf,
} from '../foreign.ts'

/** Our type for a kind of theirs, with the fields that it cannot do without. */
interface Counterpart {
  readonly type: string
  readonly fields: readonly string[]
}

const hooked = (type: string): Counterpart => ({ type, fields: ['webhookUrl'] })

/** hc/api/models.py, TRANSPORTS; `msteams` is the former kind. */
export const counterparts: Readonly<Record<string, Counterpart>> = {
  discord: hooked('discord'),
  email: { type: 'email', fields: ['to'] },
  googlechat: hooked('googlechat'),
  gotify: { type: 'gotify', fields: ['server', 'token'] },
  matrix: { type: 'matrix', fields: ['homeserver', 'roomId', 'token'] },
  mattermost: hooked('mattermost'),
  msteams: hooked('teams'),
  msteamsw: hooked('teams'),
  ntfy: { type: 'ntfy', fields: ['topic'] },
  opsgenie: { type: 'opsgenie', fields: ['apiKey'] },
  pd: { type: 'pagerduty', fields: ['routingKey'] },
  po: { type: 'pushover', fields: ['userKey', 'appToken'] },
  rocketchat: hooked('rocketchat'),
  signal: { type: 'signal', fields: ['url', 'from', 'to'] },
  slack: hooked('slack'),
  sms: { type: 'twilio', fields: ['accountSid', 'authToken', 'to'] },
  telegram: { type: 'telegram', fields: ['botToken', 'chatId'] },
  victorops: { type: 'splunk-oncall', fields: ['url'] },
  webhook: { type: 'webhook', fields: ['url'] },
  zulip: { type: 'zulip', fields: ['site', 'botEmail', 'apiKey', 'stream'] },
}

/** The kinds that we lack, as they are called there. */
export const lackedKinds: Readonly<Record<string, string>> = {
  apprise: 'Apprise',
  call: 'a phone call',
  github: 'GitHub issues',
  group: 'a group of integrations',
  pagertree: 'PagerTree',
  pushbullet: 'Pushbullet',
  shell: 'a shell command',
  spike: 'Spike',
  trello: 'Trello',
  whatsapp: 'WhatsApp',
}

export interface Integrations {
  readonly channels: readonly ForeignItem[]
  /** Pointers to what each lacks. */
  readonly secretsOmitted: readonly string[]
  /** The ids in the document by the ids there. */
  readonly ids: ReadonlyMap<string, string>
}

/** `checksBy`: the names of the checks that use an integration, by its id. */
export function integrationsOf(
  answer: unknown,
  checksBy: ReadonlyMap<string, readonly string[]>,
  notesOf: NotesOf,
): Integrations {
  const items = listOf(fieldsOf(answer).channels ?? answer).map(fieldsOf)
  const channels: ForeignItem[] = []
  const secretsOmitted: string[] = []
  const ids = new Map<string, string>()
  for (const item of items) {
    const id = textOf(item.id)
    const kind = textOf(item.kind)
    const counterpart = Object.hasOwn(counterparts, kind) ? counterparts[kind] : undefined
    const what = (Object.hasOwn(lackedKinds, kind) && lackedKinds[kind]) || `"${kind}"`
    const name = nameOf(item.name, counterpart ? kind : what)
    const origin = `channel/${id}`
    if (!counterpart) {
      const users = usersOf(checksBy.get(id))
      notesOf(name, origin)(`left out: there is no kind of channel here for ${what}${users}`)
      continue
    }
    const { type, fields } = counterpart
    const documentId = idIn('chn', id)
    if (documentId !== undefined) ids.set(id, documentId)
    secretsOmitted.push(...fields.map((field) => `/channels/${channels.length}/config/${field}`))
    channels.push({
      ...(documentId === undefined ? {} : { id: documentId }),
      origin,
      name,
      type,
      config: {},
      isDefault: false,
    })
  }
  return { channels, secretsOmitted, ids }
}

const namedMax = 5

function usersOf(names: readonly string[] = []): string {
  if (names.length === 0) return ''
  const named = names.slice(0, namedMax).map((name) => `"${name}"`)
  const more = names.length - named.length
  return `; it was told of ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The ids of the integrations that a check tells. */
export function integrationIdsOf({ channels }: ForeignFields): readonly string[] {
  return textOf(channels)
    .split(',')
    .filter((id) => id !== '')
}

/** An id in the document that is made, of the same 128 bits; undefined if the one there is no UUID. */
function idIn(prefix: 'chn', uuid: string): string | undefined {
  const hex = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(hex)) return undefined
  const digits = BigInt(`0x${hex}`).toString(32).padStart(idChars, '0')
  return `${prefix}_${digits.replace(/./g, (digit) => idDigits.charAt(Number.parseInt(digit, 32)))}`
}

const idChars = 26
/** Crockford's Base32, of which the ids of documents are. */
const idDigits = '0123456789abcdefghjkmnpqrstvwxyz'
