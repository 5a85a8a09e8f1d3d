// Leaves out channels that no import would take, so that one of them does not hinder the rest.
import type { FieldProblem } from '../../base/fault.ts'
import { createCheck } from '../../base/schema/validate.ts'
import type { Config } from '../../channels/model/config.ts'
import type { ChannelDefinition } from '../../channels/model/definition.ts'
import { withTrimmedTokens } from '../../channels/model/token.ts'
import { channelDefinitions } from '../../channels/registry.ts'
import {
  type ForeignDocument,
  type ForeignItem,
  type ForeignNote,
  fieldsOf,
  textOf,
} from '../../domain/imports/foreign.ts'
import { limits } from '../../domain/limits/limits.ts'

/**
 * The document without channels whose config lacks something or has another form than their type takes, each
 * with a note that names field and rule. Monitors no longer name them. A channel may lack what it waits for
 * (`secretsOmitted`).
 */
export function withFittingChannels(document: ForeignDocument): ForeignDocument {
  const { channels = [], monitors, notes, secretsOmitted } = document
  const awaited = Map.groupBy(secretsOmitted ?? [], channelAt)
  const refused = channels.flatMap((channel, index) => {
    const reason = problemOf(channel, awaited.get(index)?.map(inConfig) ?? [])
    return reason === undefined ? [] : [{ channel, reason }]
  })
  if (refused.length === 0) return document
  const users = usersOf(monitors)
  const left = new Set(refused.map(({ channel }) => channel))
  const ids = new Set<unknown>(refused.map(({ channel }) => channel.id))
  const kept = channels.filter((one) => !left.has(one))
  return {
    ...document,
    channels: kept,
    ...(secretsOmitted && {
      secretsOmitted: secretsOmitted.flatMap((one) => moved(one, channels, kept)),
    }),
    monitors: monitors.map((monitor) => {
      const { notifyChannelIds: named } = monitor
      if (!Array.isArray(named)) return monitor
      return { ...monitor, notifyChannelIds: named.filter((id) => !ids.has(id)) }
    }),
    notes: [...notes, ...refused.map((one) => noteOf(one, users))].slice(
      0,
      limits.importNotesMax + 1,
    ),
  }
}

const ofChannels = '/channels/'

/** The place of the channel that a pointer leads into. */
function channelAt(pointer: string): number | undefined {
  if (!pointer.startsWith(ofChannels)) return undefined
  return Number(pointer.slice(ofChannels.length).split('/')[0])
}

/** The pointer within the config of its channel. */
function inConfig(pointer: string): string {
  return pointer.slice(pointer.indexOf('/config') + '/config'.length)
}

/** The pointer to the same in a shorter list; none if its channel was left out. */
function moved(
  pointer: string,
  before: readonly ForeignItem[],
  after: readonly ForeignItem[],
): readonly string[] {
  const index = channelAt(pointer)
  const channel = index === undefined ? undefined : before[index]
  if (channel === undefined) return [pointer]
  const rest = pointer.slice(`${ofChannels}${index}`.length)
  const place = after.indexOf(channel)
  return place < 0 ? [] : [`${ofChannels}${place}${rest}`]
}

interface RefusedChannel {
  readonly channel: ForeignItem
  readonly reason: string
}

function noteOf({ channel, reason }: RefusedChannel, users: ChannelUsers): ForeignNote {
  const { id, name, origin } = channel
  const { first, count } = users.get(id) ?? { first: '', count: 0 }
  const others = count > 1 ? ` and ${count - 1} more` : ''
  const alerted = count === 0 ? '' : `; alerted by ${first}${others}`
  const text = `was left out: ${reason}${alerted}`
  return { name, text, ...(origin === undefined ? {} : { origin }) }
}

type ChannelUsers = ReadonlyMap<unknown, { readonly first: string; readonly count: number }>

/** The first monitor that names each channel, and how many do. */
function usersOf(monitors: readonly ForeignItem[]): ChannelUsers {
  const users = new Map<unknown, { first: string; count: number }>()
  for (const { name, notifyChannelIds: named } of monitors) {
    for (const id of Array.isArray(named) ? named : []) {
      const { first, count } = users.get(id) ?? { first: name, count: 0 }
      users.set(id, { first, count: count + 1 })
    }
  }
  return users
}

const known = new Map(
  channelDefinitions.map((definition) => [
    definition.type,
    { ...definition, check: createCheck(definition.config, limits.fieldProblemsMax) },
  ]),
)

/** The first problem of a channel's config, which may lack some fields, or undefined. */
function problemOf({ type, config }: ForeignItem, awaited: readonly string[]): string | undefined {
  const definition = known.get(textOf(type))
  if (!definition) return `there is no channel type ${textOf(type)}`
  const given: Config = withTrimmedTokens(definition.config, fieldsOf(config))
  const malformed = definition
    .check(given)
    .find(({ keyword, pointer }) => keyword !== 'required' || !awaited.includes(pointer))
  // Rules about several fields are for a config that is whole.
  const isWhole = malformed === undefined && awaited.length === 0
  const broken = isWhole ? definition.problems?.(given)[0] : undefined
  const problem = malformed ?? broken ?? urlProblem(definition, given)
  return problem && `config${problem.pointer.replaceAll('/', '.')} ${problem.message}`
}

function urlProblem({ urls }: ChannelDefinition, config: Config): FieldProblem | undefined {
  const field = urls.find((name) => {
    const url = config[name]
    return typeof url === 'string' && !/^(https?|smtps?):$/.test(URL.parse(url)?.protocol ?? '')
  })
  if (field === undefined) return undefined
  return { pointer: `/${field}`, keyword: 'url', message: 'must be a URL with http or https' }
}
