// A channel's record: the fields that callers set, defaults, and the config with encrypted secrets.
import { hash } from 'node:crypto'
import { Fault, type FieldProblem, invalidField, refuseInvalid } from '../../base/fault.ts'
import { newId, type OrgId } from '../../base/ids.ts'
import { createCheck } from '../../base/schema/validate.ts'
import {
  type Config,
  carriedSecrets,
  lackedSecrets,
  maskedConfig,
  type OpenedChannel,
  openedChannel,
  patchedConfig,
  secretsOf,
  strayMask,
} from '../../channels/model/config.ts'
import type { ChannelDefinition, Completion } from '../../channels/model/definition.ts'
import { withTrimmedTokens } from '../../channels/model/token.ts'
import { channelDefinition, channelDefinitions } from '../../channels/registry.ts'
import { type Channel, channelEvents } from '../../domain/alerts/channel.ts'
import { quietHoursProblem } from '../../domain/alerts/quiet-hours.ts'
import { changedFields } from '../../domain/audit/audit.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Changes, patched } from '../../domain/merge-patch.ts'
import { givenAgainRule } from '../../domain/same-server.ts'
import type { Core } from '../core.ts'

export interface ConfigDeps extends Pick<Completion<Config>, 'mintSigningKey' | 'publicKeyOf'> {
  readonly mintSecret: () => string
  /** What is wrong with a URL that the daemon should call, or null. */
  readonly judgeUrl: Judge
  /** The same for `smtp://` and `smtps://`. */
  readonly judgeMailServer: Judge
}

type Judge = (
  url: string,
) => { readonly code: 'validation_failed' | 'target_not_allowed'; readonly reason: string } | null

/** A config ready to be stored, and the secrets generated for it, which are shown once. */
export interface SealedConfig {
  readonly config: Config
  readonly secretsBox: string
  readonly made: Config
  /** A hash of the config as it was given, so that equal configs are recognized. */
  readonly fingerprint: string
  /** False if it is the config that is stored. */
  readonly isChanged: boolean
}

export function createConfigs(
  { box, clock }: Pick<Core, 'box' | 'clock'>,
  { mintSecret, judgeUrl, judgeMailServer, ...keys }: ConfigDeps,
) {
  const checks = new Map(
    channelDefinitions.map(({ type, config }) => [
      type,
      createCheck(config, limits.fieldProblemsMax),
    ]),
  )

  /**
   * Fields that did not change may break a newer rule; `missing` are pointers to secrets that the
   * config may lack.
   */
  function seal(
    type: string,
    sent: Config,
    { before, missing: lacked = [] }: { before?: Config; missing?: readonly string[] } = {},
  ): SealedConfig {
    const definition = channelDefinition(type)
    const given = withTrimmedTokens(definition.config, sent)
    const changed = before ? changedFields(before, given) : Object.keys(given)
    const stray = strayMask(definition, given)
    if (stray) throw invalidField(`/config${stray}`, 'secret', 'is required: no value is stored')
    const missing = (definition.generatedSecrets ?? []).filter((name) => given[name] === undefined)
    const made = Object.fromEntries(missing.map((name) => [name, mintSecret()]))
    const whole = { ...given, ...made }
    const found = checks.get(type)?.(whole) ?? []
    refuse(found.filter((one) => !(one.keyword === 'required' && lacked.includes(one.pointer))))
    const { mintSigningKey, publicKeyOf } = keys
    const nowMs = clock.nowMs()
    const completion = { nowMs, mintSigningKey, publicKeyOf, ...(before ? { before } : {}) }
    const isPartial = lacksOpenField(definition, whole)
    const config = (isPartial ? undefined : definition.completed?.(whole, completion)) ?? whole
    const problems = problemsOf(definition, config)
    const former = before ? problemsOf(definition, before) : []
    // A problem may point to a field that is missing, and so did not change.
    const isNew = ({ pointer, message }: FieldProblem) =>
      changed.includes(pointer.split('/')[1] ?? '') ||
      !former.some((one) => one.pointer === pointer && one.message === message)
    // Without a secret, its partner cannot be judged yet.
    refuse(problems.filter((one) => isNew(one) && !lacked.includes(one.pointer)))
    const judge = 'compose' in definition ? judgeMailServer : judgeUrl
    for (const field of definition.urls) mustBeAllowed(field, config[field], judge)
    const secretsBox = box.seal(JSON.stringify(secretsOf(definition, config)))
    const fingerprint = fingerprintOf(type, given)
    const isChanged = before === undefined || fingerprint !== fingerprintOf(type, before)
    return { config: maskedConfig(definition, config), secretsBox, made, fingerprint, isChanged }
  }

  function mustBeAllowed(field: string, url: unknown, judge: Judge): void {
    const problem = typeof url === 'string' ? judge(url) : null
    if (!problem) return
    const errors = [{ pointer: `/config/${field}`, keyword: 'target', message: problem.reason }]
    throw new Fault(problem.code, `config.${field} ${problem.reason}`, { errors })
  }

  /** Undefined if its secrets cannot be decrypted any more. */
  function opened(channel: Channel): OpenedChannel | undefined {
    const secrets = box.openOrUndefined(channel.secretsBox)
    return secrets === undefined ? undefined : openedChannel(channel, secrets)
  }

  return {
    /** Throws validation_failed or target_not_allowed, with pointers below /config. */
    seal: (type: string, given: Config) => seal(type, given),

    /** The same for a config whose export omitted secrets, which it may lack: pointers into it. */
    sealWithout: (type: string, given: Config, missing: readonly string[]) =>
      seal(type, given, { missing }),

    /** Applies a merge patch. A secret set to null is generated anew and shown once. */
    patched(channel: Channel, patch: Config): SealedConfig {
      const definition = channelDefinition(channel.type)
      // Secrets that cannot be decrypted are left as masks.
      const before = opened(channel)?.config ?? channel.config
      const config = patchedConfig(definition, before, patch)
      const carried = carriedSecrets(definition, { before, patch, after: config })
      refuse(carried.map((pointer) => ({ pointer, keyword: 'secret', message: movedRule })))
      return seal(channel.type, config, { before })
    },

    /** The channel with its secrets, for sending. Throws conflict if some are missing or unreadable. */
    open(channel: Channel): OpenedChannel {
      const { missingSecrets = [] } = channel
      if (missingSecrets.length > 0) {
        const names = missingSecrets.map((pointer) => pointer.slice(1)).join(', ')
        const about = `The export that this channel comes from left its secrets out: ${names}.`
        throw new Fault('conflict', `${about} Enter them, and switch the channel on.`)
      }
      const found = opened(channel)
      if (found) return found
      const detail = 'The secrets of this channel cannot be read any more: set them again.'
      throw new Fault('conflict', detail)
    },
  }
}

/** Problems between its fields; none are known while a field is absent that such rules read. */
function problemsOf(definition: ChannelDefinition, config: Config): readonly FieldProblem[] {
  if (lacksOpenField(definition, config)) return []
  return definition.problems?.(config) ?? []
}

/** Whether a required field is absent that is no secret: a document of another product lacked it. */
function lacksOpenField({ config: schema, secrets }: ChannelDefinition, config: Config): boolean {
  return (schema.required ?? []).some(
    (name) => !secrets.includes(name) && config[name] === undefined,
  )
}

function fingerprintOf(type: string, config: Config): string {
  const sorted = Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify([type, sorted]), 'base64url')
}

const movedRule = givenAgainRule('the messages go')

function refuse(problems: readonly FieldProblem[]): void {
  refuseInvalid(problems.map((one) => ({ ...one, pointer: `/config${one.pointer}` })))
}

type ChannelFields = Pick<
  Channel,
  'isActive' | 'isDefault' | 'events' | 'minSeverity' | 'delayMinutes' | 'tags' | 'quietHours'
>

const defaults: ChannelFields = {
  isActive: true,
  /** Where a new channel does not say, it becomes one if it can work and no other default channel can. */
  isDefault: false,
  events: channelEvents,
  minSeverity: 'degraded',
  delayMinutes: 0,
  tags: [],
  quietHours: null,
}

type ChannelBasics = Pick<Channel, 'name' | 'type' | 'config'>

export interface NewChannel extends Changes<ChannelFields>, ChannelBasics {}

/** A merge patch (RFC 7396): null restores a field's default. */
export type ChannelChanges = Changes<ChannelFields & ChannelBasics>

export interface ChannelCreation {
  readonly orgId: OrgId
  readonly nowMs: number
}

export function newChannel(
  input: NewChannel,
  { config, secretsBox }: Pick<SealedConfig, 'config' | 'secretsBox'>,
  { orgId, nowMs }: ChannelCreation,
): Channel {
  return {
    id: newId('channel', nowMs),
    orgId,
    name: input.name,
    type: input.type,
    config,
    secretsBox,
    ...channelFields(undefined, input),
    disabledReason: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
  }
}

/** The fields after the changes. Throws validation_failed. */
function channelFields(
  before: Channel | undefined,
  changes: Changes<ChannelFields>,
): ChannelFields {
  const { quietHours } = changes
  const problem = quietHours ? quietHoursProblem(quietHours) : undefined
  if (problem) throw invalidField(`/quietHours/${problem.field}`, 'quietHours', problem.rule)
  const fields = patched(defaults, before, changes)
  return { ...fields, tags: [...new Set(fields.tags)] }
}

/** The channel with the changes applied. Throws validation_failed for another type. */
export function changedChannel(
  before: Channel,
  changes: ChannelChanges,
  sealed: SealedConfig | undefined,
): Channel {
  if (changes.type && changes.type !== before.type) {
    throw invalidField('/type', 'fixed', 'cannot be changed')
  }
  const fields = channelFields(before, changes)
  const { isActive } = fields
  const config = sealed?.config ?? before.config
  const missing = lackedSecrets(config, before.missingSecrets ?? [])
  if (isActive) mustHaveRequired(before.type, config, missing)
  const { missingSecrets: _, ...kept } = before
  return {
    ...kept,
    ...(isActive || missing.length === 0 ? {} : { missingSecrets: missing }),
    name: changes.name ?? before.name,
    ...(sealed ? { config: sealed.config, secretsBox: sealed.secretsBox } : {}),
    ...fields,
    disabledReason: isActive ? null : before.disabledReason,
  }
}

/** Throws validation_failed: without them, the channel cannot send. */
function mustHaveRequired(type: string, config: Config, missing: readonly string[]): void {
  const definition = channelDefinition(type)
  const { required = [] } = definition.config
  const wrong = problemsOf(definition, config)
  const isNeeded = (pointer: string) =>
    required.some((name) => pointer === `/${name}`) || wrong.some((one) => one.pointer === pointer)
  const message = 'is required: the export that the channel comes from left it out'
  refuse(missing.filter(isNeeded).map((pointer) => ({ pointer, keyword: 'required', message })))
}

/** The names of the fields that differ. New secrets count as a change of the config. */
export function changedChannelFields(before: Channel, after: Channel): string[] {
  const named = ({ secretsBox, config, ...rest }: Channel) => ({
    ...rest,
    config: secretsBox === after.secretsBox ? config : [config, secretsBox],
  })
  return changedFields(named(before), named(after))
}
