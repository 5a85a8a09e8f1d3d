// A channel's config: extracting, masking, restoring and changing its secrets.
import { pointerPart } from '../../base/fault.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { isSameServer } from '../../domain/same-server.ts'
import { secretMask } from '../../domain/secret-mask.ts'

export type Config = Readonly<Record<string, unknown>>

/** The secrets that a definition declares. */
interface Secrets {
  readonly secrets: readonly string[]
}

interface Carried extends Secrets {
  readonly signs?: readonly string[]
  readonly urls: readonly string[]
}

/** A channel with its secrets: used only for sending, and never stored, logged or returned. */
export interface OpenedChannel {
  readonly channel: Pick<Channel, 'id' | 'orgId' | 'name' | 'type'>
  /** The whole config including the secrets. */
  readonly config: Config
}

/** The config with every secret replaced by the mask, as it is stored in plain text and shown. */
export function maskedConfig(definition: Secrets, config: Config): Config {
  return mapSecrets(definition, config, () => secretMask)
}

/** The secret fields alone, to be encrypted. */
export function secretsOf(definition: Secrets, config: Config): Config {
  const isSecret = ([name]: [string, unknown]) => definition.secrets.includes(name)
  return Object.fromEntries(Object.entries(config).filter(isSecret))
}

/** What must not be shown of the secret fields: whole texts, and the parts of a URL that vary. */
export function secretTexts(definition: Secrets, config: Config): string[] {
  const texts = Object.values(secretsOf(definition, config))
    .flatMap((value) => (isMap(value) ? Object.values(value) : [value]))
    .filter((value) => typeof value === 'string')
  return texts.flatMap((text) => [text, ...urlParts(text)])
}

/** The parts that are long enough to be a token. */
function urlParts(text: string): string[] {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null
  if (url === null) return []
  const parts = [...url.pathname.split('/'), ...url.searchParams.values(), url.password]
  return parts.filter((part) => part.length >= urlTokenCharsMin)
}

const urlTokenCharsMin = 8

/** A channel with its secrets restored; `secretsJson` is the content of its box. */
export function openedChannel(channel: Channel, secretsJson: string): OpenedChannel {
  return { channel, config: { ...channel.config, ...JSON.parse(secretsJson) } }
}

/**
 * Applies a merge patch (RFC 7396): null removes, maps are merged by name, and the mask in place of
 * a secret keeps the secret.
 */
export function patchedConfig(definition: Secrets, config: Config, patch: Config): Config {
  const merged: Record<string, unknown> = { ...config }
  for (const [name, value] of Object.entries(patch)) {
    const before = config[name]
    if (value === null) delete merged[name]
    else if (value === secretMask && definition.secrets.includes(name)) merged[name] = before
    else if (isMap(value)) merged[name] = patchedMap(isMap(before) ? before : {}, value)
    else merged[name] = value
  }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}

/** The pointer to a field that has the mask although no secret is stored for it. */
export function strayMask(definition: Secrets, config: Config): string | undefined {
  for (const field of definition.secrets) {
    const value = config[field]
    if (value === secretMask) return `/${field}`
    if (!isMap(value)) continue
    const name = Object.keys(value).find((key) => value[key] === secretMask)
    if (name !== undefined) return `/${field}/${pointerPart(name)}`
  }
  return undefined
}

/** A change of a config: what was stored, the merge patch, and what follows from both. */
export interface ConfigChange {
  readonly before: Config
  readonly patch: Config
  readonly after: Config
}

/**
 * The pointers to secrets that a change would send to another server although its author may not
 * know them: they are kept while the server of a URL changes. A URL that is a secret is no such.
 */
export function carriedSecrets(definition: Carried, change: ConfigChange): string[] {
  const { before, patch, after } = change
  const { secrets, urls, signs = [] } = definition
  if (urls.every((field) => isSameServer(before[field], after[field]))) return []
  const isGiven = (value: unknown) => value !== undefined && value !== secretMask
  return secrets
    .filter((field) => !urls.includes(field) && !signs.includes(field))
    .flatMap((field) => {
      const kept = after[field]
      if (kept === undefined) return []
      const given = patch[field]
      if (!isMap(kept)) return isGiven(given) ? [] : [`/${field}`]
      const givenMap = isMap(given) ? given : {}
      return Object.keys(kept)
        .filter((name) => !isGiven(givenMap[name]))
        .map((name) => `/${field}/${pointerPart(name)}`)
    })
}

/** The secrets that the config lacks, as pointers into it. */
export function lackedSecrets(config: Config, pointers: readonly string[]): string[] {
  return pointers.filter((pointer) => {
    const [field = '', ...names] = pointer.slice(1).split('/')
    const value = config[field]
    if (names.length === 0 || !isMap(value)) return value === undefined
    return !Object.keys(value).some((name) => `/${field}/${pointerPart(name)}` === pointer)
  })
}

function patchedMap(before: Config, patch: Config): Config {
  const merged: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else if (value !== secretMask || before[name] === undefined) merged[name] = value
  }
  return merged
}

function mapSecrets(
  definition: Secrets,
  config: Config,
  change: (value: unknown) => unknown,
): Config {
  const fields = Object.entries(config).map(([name, value]) => {
    if (!definition.secrets.includes(name)) return [name, value]
    if (!isMap(value)) return [name, change(value)]
    const entries = Object.entries(value).map(([key, secret]) => [key, change(secret)])
    return [name, Object.fromEntries(entries)]
  })
  return Object.fromEntries(fields)
}

function isMap(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
