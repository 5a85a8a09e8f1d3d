// Prepares a channel's config for storing (defaults, validation, encrypted secrets) and for
// sending.
import { Fault, type FieldProblem, invalidField } from '../../base/fault.ts'
import { createCheck } from '../../base/schema/validate.ts'
import {
  type Config,
  maskedConfig,
  openedChannel,
  patchedConfig,
  secretsOf,
  strayMask,
} from '../../channels/model/config.ts'
import { channelDefinition, channelDefinitions } from '../../channels/registry.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Box, SealBroken } from '../../seal/box.ts'

export interface ConfigDeps {
  readonly box: Box
  readonly mintSecret: () => string
  /** What is wrong with a URL that the daemon should call, or null. */
  readonly judgeUrl: (
    url: string,
  ) => { readonly code: 'validation_failed' | 'target_not_allowed'; readonly reason: string } | null
}

/** A config ready to be stored, and the secrets generated for it, which are shown once. */
export interface SealedConfig {
  readonly config: Config
  readonly secretsBox: string
  readonly made: Config
}

export function createConfigs({ box, mintSecret, judgeUrl }: ConfigDeps) {
  const checks = new Map(
    channelDefinitions.map(({ type, config }) => [
      type,
      createCheck(config, limits.fieldProblemsMax),
    ]),
  )

  function seal(type: string, given: Config): SealedConfig {
    const definition = channelDefinition(type)
    const stray = strayMask(definition, given)
    if (stray) throw invalidField(`/config${stray}`, 'secret', 'is required: no value is stored')
    const missing = (definition.generatedSecrets ?? []).filter((name) => given[name] === undefined)
    const made = Object.fromEntries(missing.map((name) => [name, mintSecret()]))
    const config = { ...given, ...made }
    refuse([...(checks.get(type)?.(config) ?? [])])
    refuse(definition.problems?.(config) ?? [])
    for (const field of definition.urls) judge(field, config[field])
    const secretsBox = box.seal(JSON.stringify(secretsOf(definition, config)))
    return { config: maskedConfig(definition, config), secretsBox, made }
  }

  function judge(field: string, url: unknown): void {
    const problem = typeof url === 'string' ? judgeUrl(url) : null
    if (!problem) return
    const errors = [{ pointer: `/config/${field}`, keyword: 'target', message: problem.reason }]
    throw new Fault(problem.code, `config.${field} ${problem.reason}`, { errors })
  }

  /** The stored secrets; empty if they cannot be decrypted any more. */
  function openOrNone(channel: Channel): Config {
    try {
      return openedChannel(channel, box.open(channel.secretsBox)).config
    } catch {
      return channel.config
    }
  }

  return {
    /** Throws validation_failed or target_not_allowed, with pointers below /config. */
    seal,

    /**
     * Applies a merge patch to a stored config. A secret set to null is generated anew and shown.
     */
    patched(channel: Channel, patch: Config): SealedConfig {
      const definition = channelDefinition(channel.type)
      return seal(channel.type, patchedConfig(definition, openOrNone(channel), patch))
    },

    /** The channel with its secrets, for sending. Throws conflict if they cannot be decrypted. */
    open(channel: Channel) {
      try {
        return openedChannel(channel, box.open(channel.secretsBox))
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        throw new Fault(
          'conflict',
          'The secrets of this channel cannot be read any more: set them again.',
        )
      }
    },
  }
}

function refuse(problems: readonly FieldProblem[]): void {
  const errors = problems.map((problem) => ({ ...problem, pointer: `/config${problem.pointer}` }))
  const [first] = errors
  if (!first) return
  const name = first.pointer.slice(1).replaceAll('/', '.')
  throw new Fault('validation_failed', `${name} ${first.message}`, { errors })
}
