// What becomes of a document in which variables of the environment have no value.
import { pointerPart } from '../../../base/fault.ts'
import { isRecord } from '../../../base/schema/pick.ts'
import {
  type createNotes,
  type ForeignItem,
  type ForeignMonitor,
  type Note,
  textOf,
} from '../foreign.ts'
import { unsetNames } from './environment.ts'

interface WithItems {
  readonly channels: readonly ForeignItem[]
  readonly monitors: readonly ForeignMonitor[]
}

/** Fields of a channel's config, and of a monitor, that people are asked for after an import. */
const secretFields = new Set([
  'apiKey',
  'appToken',
  'authToken',
  'botToken',
  'channelAccessToken',
  'password',
  'routingKey',
  'token',
  'topic',
  'userKey',
  'webhookUrl',
])
const secretMaps = new Set(['headers', 'variables'])

/**
 * The items without the values that are missing: secrets are asked for by the import, other texts have the
 * names as they were, and what has one waits, switched off or paused. A monitor whose address is none
 * without them is left out.
 */
export function withoutUnset(
  { channels, monitors }: WithItems,
  notes: ReturnType<typeof createNotes>,
) {
  const secretsOmitted: string[] = []
  const all = new Set<string>()

  function settled<Item extends ForeignItem>(item: Item, place: string, inConfig: boolean): Item {
    if (!JSON.stringify(item).includes('\u{e000}')) return item
    const names = new Set<string>()
    const fields = (value: unknown): unknown => replaced(value, names)
    const within = (value: Readonly<Record<string, unknown>>, pointer: string) =>
      Object.fromEntries(
        Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
          const here = `${pointer}/${pointerPart(name)}`
          if (secretMaps.has(name) && isRecord(one)) {
            const kept = Object.entries(one).filter(([key, inside]) => {
              const isLost = hasUnset(inside)
              if (isLost) omit(`${here}/${pointerPart(key)}`, inside)
              return !isLost
            })
            return [[name, Object.fromEntries(kept.map(([key, inside]) => [plain(key), inside]))]]
          }
          if (name === 'url' && !inConfig) {
            fields(one)
            return [[name, addressOf(textOf(one))]]
          }
          if (secretFields.has(name) && hasUnset(one)) {
            omit(here, one)
            return []
          }
          return [[name, fields(one)]]
        }),
      )
    const omit = (pointer: string, value: unknown) => {
      secretsOmitted.push(pointer)
      replaced(value, names)
    }
    const { config, ...rest } = item
    const whole = inConfig
      ? {
          ...within(rest, place),
          config: within(isRecord(config) ? config : {}, `${place}/config`),
        }
      : within(item, place)
    for (const name of names) all.add(name)
    noteOf(item)(`it waits for the value of ${[...names].join(', ')}`)
    return { ...whole, isActive: false } as unknown as Item
  }

  const noteOf = ({ name, origin }: ForeignItem): Note => notes.of(plain(name), origin)

  const settledChannels = channels.map((one, index) => settled(one, `/channels/${index}`, true))
  const settledMonitors = monitors
    .filter((monitor) => {
      if (!hasUnset(monitor.url) || canBeAddress(monitor)) return true
      noteOf(monitor)(`it was left out: its address ${plain(monitor.url)} needs a value`)
      for (const [, name = ''] of textOf(monitor.url).matchAll(unsetNames)) all.add(name)
      return false
    })
    .map((one, index) => settled(one, `/monitors/${index}`, false))
  return { channels: settledChannels, monitors: settledMonitors, secretsOmitted, names: [...all] }
}

/** What asks a name server has its address among the rest. */
function canBeAddress({ url }: ForeignMonitor): boolean {
  return !textOf(url).startsWith('dns:') && URL.canParse(addressOf(textOf(url)))
}

const authority = /^[a-z]+:\/\/[^/?#]{1,500}/i

/** An address that may be stored, of a host that does not exist. */
function addressOf(url: string): string {
  const host = url.replace(authority, (text) =>
    text.replace(unsetNames, (all, name: string, at: number) => {
      const isEnd = /^(:|$)/.test(text.slice(at + all.length))
      return name.toLowerCase().replaceAll('_', '-') + (isEnd ? '.invalid' : '')
    }),
  )
  return plain(host)
}

function hasUnset(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes('\u{e000}')
}

/** The text with the names as the configuration has them. */
function plain(value: unknown): string {
  return textOf(value).replace(unsetNames, (_, name: string) => `\${${name}}`)
}

/** All texts in a value with the names as the configuration has them. */
export function plainTexts<Value>(value: Value): Value {
  return replaced(value, new Set()) as Value
}

function replaced(value: unknown, names: Set<string>): unknown {
  if (typeof value === 'string') {
    return value.replace(unsetNames, (_, name: string) => {
      names.add(name)
      return `\${${name}}`
    })
  }
  if (Array.isArray(value)) return value.map((one) => replaced(one, names))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [plain(name), replaced(one, names)]),
  )
}
