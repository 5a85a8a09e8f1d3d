// Notifications of Uptime Kuma as alert channels, and which monitors alert which.
import { clip } from '../../../../base/clip.ts'
import { isGroup } from '../../../checks/check-type.ts'
import { limits } from '../../../limits/limits.ts'
import {
  type createNotes,
  type ForeignFields,
  type ForeignItem,
  type ForeignMonitor,
  fieldsOf,
  flagOf,
  listOf,
  type Note,
  nameOf,
  numberOf,
  textOf,
} from '../../foreign.ts'
import { kumaHooks } from './kuma-channel-hooks.ts'
import { kumaKinds } from './kuma-channel-kinds.ts'
import { otherServices } from './kuma-other-services.ts'
import type { KumaProvider } from './kuma-provider.ts'

/** A monitor of Kuma, with `notificationIDList`, and what it became. */
export interface BoundMonitor {
  readonly item: ForeignFields
  readonly monitor: ForeignMonitor
}

export interface KumaChannels {
  readonly channels: readonly ForeignItem[]
  /** Pointers to what the channels lack. */
  readonly secretsOmitted: readonly string[]
  /** In the same order, each with the channels that it alerted there. */
  readonly monitors: readonly ForeignMonitor[]
}

interface KumaChannel {
  readonly channel: ForeignItem
  /** Fields of the config that a person must enter. */
  readonly lacks: readonly string[]
}

/**
 * The channel that a row of `notification` becomes: its columns, with the settings as fields or, in `config`,
 * as JSON. Undefined, with a note, if there is no such channel.
 */
export function kumaChannelOf(row: ForeignFields, note: Note): KumaChannel | undefined {
  const settings = settingsOf(row)
  const type = textOf(settings.type)
  const provider = providerOf(type)
  if (provider === undefined) {
    const { title, instead } = otherServices.get(type) ?? { title: `"${type}"`, instead: '' }
    note(`${title} has no equivalent, and was left out${instead === '' ? '' : `: ${instead}`}`)
    return undefined
  }
  const made = provider.made(settings, note)
  if (typeof made === 'string') {
    note(`${provider.title} was left out: ${made}`)
    return undefined
  }
  const { type: kind, config, lacks = [], ...more } = made
  const lost = [...new Set(provider.lost?.(settings))]
  if (lost.length > 0) note(lost.join(', '))
  const [id, origin] = [channelIdOf(row.id), originOf(row)]
  const fields = Object.entries(config).filter(([, value]) => value !== undefined)
  const channel = {
    ...(id === undefined ? {} : { id }),
    ...(origin === undefined ? {} : { origin }),
    name: channelNameOf(row),
    type: kind,
    config: Object.fromEntries(fields),
    ...more,
  }
  return { channel, lacks }
}

/** The channels of all rows, and the monitors with those that they alerted in Kuma, and no others. */
export function kumaChannels(
  rows: readonly ForeignFields[],
  bound: readonly BoundMonitor[],
  notes: ReturnType<typeof createNotes>,
): KumaChannels {
  const users = usersOf(bound)
  const isSilent = ({ item, monitor }: BoundMonitor) =>
    !isGroup({ checkType: textOf(monitor.checkType) }) &&
    isSaid(item) &&
    boundIds(item).length === 0
  const made = rows.flatMap((row) => {
    const note = notes.of(channelNameOf(row), originOf(row))
    const said: string[] = []
    const found = kumaChannelOf(row, (text) => said.push(text))
    const monitors = users.get(numberOf(row.id)) ?? []
    if (found === undefined) {
      const alerted = monitors.length > 0 ? `; alerted by ${namesOf(monitors)}` : ''
      note(`${said.join(', ')}${alerted}`)
      return []
    }
    for (const text of said) note(text)
    const isDefault = flagOf(row.is_default ?? row.isDefault ?? settingsOf(row).isDefault)
    return [{ ...found, channel: { ...found.channel, isDefault } }]
  })
  if (rows.length === 0 && users.size > 0) {
    notes.of(null)(
      'its notifications, which the file does not have: create alert channels, and set them on ' +
        'the monitors or as default',
    )
  }
  const channels = made.map(({ channel }) => channel)
  const secretsOmitted = made.flatMap(({ lacks }, index) =>
    lacks.map((field) => `/channels/${index}/config/${field}`),
  )
  const known = new Set(channels.map(({ id }) => id))
  const monitors = bound.map((one) => {
    const { item, monitor } = one
    if (isSilent(one)) return { ...monitor, alertsNobody: true }
    const ids = boundIds(item).flatMap((id) => channelIdOf(id) ?? [])
    const notifyChannelIds = ids.filter((id) => known.has(id)).slice(0, limits.notifyChannelsMax)
    return notifyChannelIds.length > 0 ? { ...monitor, notifyChannelIds } : monitor
  })
  return { channels, secretsOmitted, monitors }
}

function providerOf(type: string): KumaProvider | undefined {
  return kumaKinds.get(type) ?? kumaHooks.get(type)
}

function settingsOf(row: ForeignFields): ForeignFields {
  if (typeof row.config !== 'string') return { ...row, ...fieldsOf(row.config) }
  try {
    return { ...row, ...fieldsOf(JSON.parse(row.config)) }
  } catch {
    return row
  }
}

function channelNameOf(row: ForeignFields): string {
  return nameOf(row.name ?? settingsOf(row).name, `Notification ${textOf(row.id)}`)
}

function originOf({ id }: ForeignFields): string | undefined {
  return textOf(id) === '' ? undefined : `notification/${textOf(id)}`
}

const ulidChars = 26

function channelIdOf(id: unknown): string | undefined {
  const number = numberOf(id)
  const isWhole = number !== undefined && Number.isSafeInteger(number) && number >= 0
  return isWhole ? `chn_${String(number).padStart(ulidChars, '0')}` : undefined
}

/** Lists of clients may leave it out. */
function isSaid({ notificationIDList: named }: ForeignFields): boolean {
  return typeof named === 'object' && named !== null
}

/** Ids of notifications: a list, or an object with `true` by id. */
function boundIds({ notificationIDList: named }: ForeignFields): readonly number[] {
  const ids = Array.isArray(named)
    ? listOf(named)
    : Object.entries(fieldsOf(named)).flatMap(([id, isOn]) => (flagOf(isOn) ? [id] : []))
  return [...new Set(ids.flatMap((id) => numberOf(id) ?? []))]
}

function usersOf(bound: readonly BoundMonitor[]): Map<number | undefined, BoundMonitor[]> {
  const users = new Map<number | undefined, BoundMonitor[]>()
  for (const one of bound) {
    for (const id of boundIds(one.item)) {
      const others = users.get(id)
      if (others) others.push(one)
      else users.set(id, [one])
    }
  }
  return users
}

/** Names in a note, which has a bound. */
const namesShown = 5
const nameCharsShown = 30

function namesOf(monitors: readonly BoundMonitor[]): string {
  const names = monitors
    .slice(0, namesShown)
    .map(({ monitor }) => clip(monitor.name, nameCharsShown))
  const more = monitors.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
