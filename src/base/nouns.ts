// The nouns: everything an organization owns, each declared once. Ids, quotas and their settings,
// counts, audit actions, export, import and deletion derive from here, or do not compile if one is
// missing.
import { required } from './assert.ts'

interface Noun {
  /** The kind of its ids, and the first word of its audit actions. */
  readonly kind: string
  /** The prefix of its ids; null if it has none of its own. */
  readonly idPrefix: string | null
  /** What one is called in sentences. */
  readonly one: string
  /** The plural, for people. */
  readonly title: string
  /** The maximum per organization; `usual` is null if the settings compute it. */
  readonly quota: { readonly usual: number | null; readonly max: number } | null
  /** Whether the summary of an organization counts it. */
  readonly isCounted: boolean
  /** The name of its list in an exported document; null if it is not exported. */
  readonly exportedAs: string | null
  /** Its actions in the audit log: `monitor.created`. */
  readonly actions: readonly string[]
}

const created = ['created', 'changed', 'deleted'] as const

export const nouns = {
  monitors: {
    kind: 'monitor',
    idPrefix: 'mon',
    one: 'monitor',
    title: 'monitors',
    quota: { usual: null, max: 1_000_000 },
    isCounted: true,
    exportedAs: 'monitors',
    actions: [...created, 'paused', 'resumed', 'tested', 'token_replaced', 'state_set'],
  },
  channels: {
    kind: 'channel',
    idPrefix: 'chn',
    one: 'alert channel',
    title: 'alert channels',
    quota: { usual: 50, max: 10_000 },
    isCounted: true,
    exportedAs: 'channels',
    actions: [...created, 'tested', 'repeated', 'unsubscribed'],
  },
  pages: {
    kind: 'page',
    idPrefix: 'pag',
    one: 'status page',
    title: 'status pages',
    quota: { usual: 20, max: 10_000 },
    isCounted: true,
    exportedAs: 'statusPages',
    actions: [...created, 'subdomain_changed'],
  },
  domains: {
    kind: 'domain',
    idPrefix: 'dom',
    one: 'custom domain',
    title: 'custom domains',
    quota: { usual: 20, max: 10_000 },
    isCounted: true,
    // The proof of a host name holds for one organization of one installation only.
    exportedAs: null,
    actions: ['created', 'moved', 'deleted', 'verified', 'activated', 'failed'],
  },
  subscribers: {
    kind: 'subscriber',
    idPrefix: 'sub',
    one: 'subscriber',
    title: 'subscribers of status pages',
    quota: { usual: 20_000, max: 1_000_000 },
    isCounted: true,
    exportedAs: null,
    actions: ['added', 'imported', 'deleted', 'exported'],
  },
  maintenance: {
    kind: 'maintenance',
    idPrefix: 'mnt',
    one: 'maintenance window',
    title: 'maintenance windows',
    quota: { usual: 200, max: 10_000 },
    isCounted: true,
    exportedAs: 'maintenance',
    actions: [...created, 'ended', 'extended', 'cancelled'],
  },
  templates: {
    kind: 'template',
    idPrefix: 'tpl',
    one: 'template',
    title: 'templates',
    quota: { usual: 100, max: 10_000 },
    isCounted: false,
    exportedAs: 'templates',
    actions: created,
  },
  secrets: {
    kind: 'secret',
    idPrefix: 'sct',
    one: 'secret',
    title: 'secrets',
    quota: { usual: 100, max: 10_000 },
    isCounted: false,
    exportedAs: 'secrets',
    actions: created,
  },
  keys: {
    kind: 'key',
    idPrefix: 'key',
    one: 'API key',
    title: 'API keys',
    quota: { usual: 20, max: 10_000 },
    isCounted: true,
    exportedAs: null,
    actions: ['created', 'changed', 'rotated', 'revoked', 'role_changed', 'ended', 'adopted'],
  },
  locations: {
    kind: 'location',
    idPrefix: 'loc',
    one: 'location',
    title: 'locations',
    quota: { usual: 10, max: 1_000 },
    isCounted: true,
    exportedAs: 'locations',
    actions: created,
  },
  probes: {
    kind: 'probe',
    idPrefix: 'prb',
    one: 'probe',
    title: 'probes',
    quota: { usual: 50, max: 10_000 },
    isCounted: false,
    // What stands at a location has a token, which no document has.
    exportedAs: null,
    actions: [...created, 'token_replaced'],
  },
  members: {
    kind: 'member',
    idPrefix: null,
    one: 'member',
    title: 'members',
    quota: { usual: 50, max: 10_000 },
    isCounted: true,
    exportedAs: null,
    actions: ['added', 'role_changed', 'removed', 'left'],
  },
  invites: {
    kind: 'invite',
    idPrefix: 'inv',
    one: 'invitation',
    title: 'open invites',
    quota: { usual: 500, max: 10_000 },
    isCounted: false,
    exportedAs: null,
    actions: ['created', 'accepted', 'revoked', 'ended'],
  },
  incidents: {
    kind: 'incident',
    idPrefix: 'inc',
    one: 'incident',
    title: 'incidents',
    quota: null,
    isCounted: false,
    exportedAs: null,
    actions: ['declared', 'acknowledged', 'updated', 'resolved', 'changed', 'deleted'],
  },
} as const satisfies Readonly<Record<string, Noun>>

type Nouns = typeof nouns
export type NounName = keyof Nouns

/** The nouns with a facet of a given type. */
type NounWith<Facet> = {
  [Name in NounName]: Nouns[Name] extends Facet ? Name : never
}[NounName]

export type QuotaNoun = NounWith<{ readonly quota: object }>
export type CountedNoun = NounWith<{ readonly isCounted: true }>
export type ExportedNoun = NounWith<{ readonly exportedAs: string }>
export type ExportedName = Nouns[ExportedNoun]['exportedAs']

/** Every action of a noun, such as `monitor.created`. */
export type NounAction = {
  [Name in NounName]: `${Nouns[Name]['kind']}.${Nouns[Name]['actions'][number]}`
}[NounName]

/** A text for each noun whose objects have ids, by its kind. */
type NounIdTexts = {
  readonly [Name in NounWith<{ readonly idPrefix: string }> as Nouns[Name]['kind']]: string
}

// Filters and maps by the same fields from which the types above are derived.

export const quotaNouns = namesWhere<QuotaNoun>(({ quota }) => quota !== null)
const exportedNouns = namesWhere<ExportedNoun>(({ exportedAs }) => exportedAs !== null)
export const exportedNames = exportedNouns.map((name) => nouns[name].exportedAs)
export const countedNouns = namesWhere<CountedNoun>(({ isCounted }) => isCounted)

export const nounIdPrefixes = byKind((noun) => noun.idPrefix) as NounIdTexts

/** What an id of a noun is of, for sentences. */
export const nounIdTitles = byKind((noun) => noun.one) as NounIdTexts

/** A value of each noun whose objects have ids, by its kind. */
function byKind(textOf: (noun: Noun) => string | null): Record<string, string | null> {
  const withIds = Object.values<Noun>(nouns).filter(({ idPrefix }) => idPrefix !== null)
  return Object.fromEntries(withIds.map((noun) => [noun.kind, textOf(noun)]))
}

function namesWhere<Name extends NounName>(fits: (noun: Noun) => boolean): readonly Name[] {
  const names = Object.entries<Noun>(nouns).flatMap(([name, noun]) => (fits(noun) ? [name] : []))
  return names as Name[]
}

/** The noun of a list in an exported document. */
export function nounOfList(name: ExportedName): ExportedNoun {
  const noun = exportedNouns.find((one) => nouns[one].exportedAs === name)
  return required(noun, 'the noun of the list')
}

/** A record with a value for each name. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  // Object.fromEntries forgets the names.
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}
