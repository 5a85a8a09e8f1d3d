// What a channel type says of itself, and how the secrets in its config are taken out and put back.
import type { TObject } from 'typebox'
import type { FieldProblem } from '../base/fault.ts'
import type { Channel } from '../domain/alerts/channel.ts'
import { secretMask } from '../domain/secret-mask.ts'
import type { OpenedChannel, Sender, SenderDeps } from './sender.ts'

export type Config = Readonly<Record<string, unknown>>

export interface ChannelKind {
  /** The config as a caller sends it. */
  readonly config: TObject
  /** Fields that are sealed: a text, or a map of which each value is secret. */
  readonly secretFields: readonly string[]
  /** Secrets that we make where the caller gives none; shown once. */
  readonly madeSecrets: readonly string[]
  /** Fields that hold URLs which the daemon will call: the egress policy judges them. */
  readonly urlFields: readonly string[]
  /** What the schema cannot say; pointers are relative to the config. */
  readonly problems: (config: Config) => readonly FieldProblem[]
  readonly createSender: (deps: SenderDeps) => Sender
  /** For logs and lists: where it leads, without secrets. */
  readonly describe: (config: Config) => string
}

/** The config with every secret replaced by the mask, as it is stored in the open and shown. */
export function maskedConfig(kind: ChannelKind, config: Config): Config {
  return mapSecrets(kind, config, () => secretMask)
}

/** The secret fields alone: what is sealed. */
export function secretsOf(kind: ChannelKind, config: Config): Config {
  const isSecret = ([name]: [string, unknown]) => kind.secretFields.includes(name)
  return Object.fromEntries(Object.entries(config).filter(isSecret))
}

/** A channel with its secrets in their places; `secretsJson` is what its box holds. */
export function openedChannel(channel: Channel, secretsJson: string): OpenedChannel {
  return { channel, config: { ...channel.config, ...JSON.parse(secretsJson) } }
}

/**
 * The config after a merge patch (RFC 7396): null removes, maps are merged by name, and the mask
 * where a secret stood keeps the secret.
 */
export function patchedConfig(kind: ChannelKind, config: Config, patch: Config): Config {
  const merged: Record<string, unknown> = { ...config }
  for (const [name, value] of Object.entries(patch)) {
    const before = config[name]
    if (value === null) delete merged[name]
    else if (value === secretMask && kind.secretFields.includes(name)) merged[name] = before
    else if (isMap(value)) merged[name] = patchedMap(isMap(before) ? before : {}, value)
    else merged[name] = value
  }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}

/** Where a mask is left that stands for nothing: a pointer into the config. */
export function strayMask(kind: ChannelKind, config: Config): string | undefined {
  for (const field of kind.secretFields) {
    const value = config[field]
    if (value === secretMask) return `/${field}`
    if (!isMap(value)) continue
    const name = Object.keys(value).find((key) => value[key] === secretMask)
    if (name !== undefined) return `/${field}/${pointerPart(name)}`
  }
  return undefined
}

/** One part of an RFC 6901 pointer. */
function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
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
  kind: ChannelKind,
  config: Config,
  change: (value: unknown) => unknown,
): Config {
  const fields = Object.entries(config).map(([name, value]) => {
    if (!kind.secretFields.includes(name)) return [name, value]
    if (!isMap(value)) return [name, change(value)]
    const entries = Object.entries(value).map(([key, secret]) => [key, change(secret)])
    return [name, Object.fromEntries(entries)]
  })
  return Object.fromEntries(fields)
}

function isMap(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
