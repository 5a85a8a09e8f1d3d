// The alerting of Gatus: its providers become channels, and the alerts of an endpoint name them.
import { clip } from '../../../base/clip.ts'
import { channelEvents } from '../../alerts/channel.ts'
import { limits } from '../../limits/limits.ts'
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  listOf,
  type Note,
  nameOf,
  numberOf,
  textOf,
  within,
} from '../foreign.ts'
import { documentId, noteOthers } from './parts.ts'
import { type AlertProvider, type AlertWords, ProviderRefused } from './provider.ts'
import { providerOf, unmatched } from './providers.ts'
import { secondsOf } from './request.ts'

/** Whose alerts are read. */
export interface AlertsFrame {
  readonly group: string
  readonly key: string
  readonly note: Note
  /** Gatus takes the defaults of a provider for endpoints, and not for those of suites. */
  readonly hasDefaults: boolean
}

interface ProviderState {
  readonly type: string
  readonly known: AlertProvider | undefined
  /** The settings of the provider itself. */
  readonly base: ForeignFields
  readonly defaults: ForeignFields
  readonly byGroup: ReadonlyMap<string, ForeignFields>
  readonly note: Note
  /** The names of endpoints whose alerts no channel sends. */
  readonly unsent: Set<string>
}

interface ChannelWish {
  readonly config: ForeignFields
  readonly isToldResolved: boolean
  readonly words: AlertWords
  /** What the settings are those of, after the provider. */
  readonly place: readonly string[]
}

const noWords: AlertWords = { description: '', group: '' }

/** Channels of one provider that differ only in the words that they say. */
const channelsOfProviderMax = 20

export type Alerting = ReturnType<typeof createAlerting>

export function createAlerting(alerting: unknown, notesOf: (name: string, origin: string) => Note) {
  const channels: ForeignItem[] = []
  const origins = new Set<string>()
  /** The ids of what was made for a wish, by what it says. */
  const made = new Map<string, readonly string[]>()
  const countOf = new Map<string, number>()
  const states = new Map(
    Object.entries(fieldsOf(alerting)).map(([type, settings]) => [
      type,
      stateOf(type, fieldsOf(settings), notesOf(type, `alerting/${type}`)),
    ]),
  )

  function idsFor(state: ProviderState, { config, isToldResolved, words, place }: ChannelWish) {
    const { type, known, note } = state
    if (!known) return []
    const said = known.saysOf?.(config, words) ?? noWords
    const wish = JSON.stringify([type, config, isToldResolved, said])
    const before = made.get(wish)
    if (before) return before
    // An endless number of descriptions would be an endless number of channels.
    const count = countOf.get(type) ?? 0
    if (count >= channelsOfProviderMax && said !== noWords) {
      if (count === channelsOfProviderMax) {
        note(`more than ${channelsOfProviderMax} descriptions and groups: the others are not said`)
      }
      countOf.set(type, count + 1)
      return idsFor(state, { config, isToldResolved, words: noWords, place })
    }
    countOf.set(type, count + 1)
    const path = [...place, ...Object.values(said).filter((word) => word !== '')]
    const ids = channelsOf(state, config, { words: said, isToldResolved, path })
    made.set(wish, ids)
    return ids
  }

  function channelsOf(
    { type, known, note }: ProviderState,
    config: ForeignFields,
    { words, isToldResolved, path }: { words: AlertWords; isToldResolved: boolean; path: string[] },
  ): readonly string[] {
    if (!known) return []
    const missing = known.needs.filter((name) => isEmpty(config[name]))
    if (missing.length > 0) {
      note(`it lacks ${missing.join(', ')}: Gatus sends nothing then, so no channel was made`)
      return []
    }
    try {
      return known.make(config, words, note).map(({ part, ...channel }) => {
        const id = documentId('chn', channels.length)
        const wholePath = [...path, ...(part === undefined ? [] : [part])]
        const told = isToldResolved ? [] : ['not told what is over']
        const about = [...wholePath, ...told].join(', ')
        const origin = freeOrigin(['alerting', type, ...wholePath, ...(told[0] ? ['opened'] : [])])
        const events = known.isRequest ? requestEvents : channelEvents
        channels.push({
          id,
          origin,
          name: nameOf(about === '' ? type : `${type} (${about})`, type),
          ...channel,
          isActive: known.offBecause === undefined,
          isDefault: false,
          ...(isToldResolved && !known.isRequest
            ? {}
            : { events: events.filter((one) => isToldResolved || one !== 'incident.resolved') }),
        })
        return id
      })
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error
      note(`no channel was made of it: ${error.message}`)
      return []
    }
  }

  function freeOrigin(path: readonly string[]): string {
    const whole = clip(path.map((part) => part.replaceAll('/', '-')).join('/'), originCharsMax)
    let origin = whole
    for (let count = 2; origins.has(origin); count += 1) origin = `${whole} ${count}`
    origins.add(origin)
    return origin
  }

  function effective(
    { base, byGroup, known }: ProviderState,
    alert: ForeignFields,
    { group, key }: AlertsFrame,
  ): Pick<ChannelWish, 'config' | 'place'> {
    const ofGroup = known?.hasNoGroups ? undefined : byGroup.get(group)
    const own = alert['provider-override']
    return {
      config: { ...base, ...given(ofGroup), ...given(own) },
      place: [...(ofGroup ? [group] : []), ...(own === undefined ? [] : [key])],
    }
  }

  return {
    /** What a monitor has of the alerts of its endpoints. */
    of(endpoints: readonly ForeignFields[], frame: AlertsFrame): ForeignFields {
      const alerts = endpoints.flatMap((one) => listOf(one.alerts).map(fieldsOf))
      const enabled = alerts.flatMap((alert) => {
        const type = textOf(alert.type)
        const state = states.get(type)
        const whole = frame.hasDefaults ? { ...state?.defaults, ...given(alert) } : alert
        noteOthers(alert, alertFields, frame.note, `its alert by ${type}: `)
        if ((alert.enabled ?? whole.enabled) === false) {
          frame.note(`its alert by ${type} is switched off there, and names no channel here`)
          return []
        }
        return [
          {
            ...whole,
            type,
            'send-on-resolved': alert['send-on-resolved'] ?? whole['send-on-resolved'],
          },
        ]
      })
      const ids = enabled.flatMap((alert: ForeignFields) => {
        const state = states.get(textOf(alert.type))
        if (!state) {
          frame.note(`its alert by ${textOf(alert.type)}: Gatus has no such provider there`)
          return []
        }
        const words = { description: textOf(alert.description), group: frame.group }
        const isToldResolved = alert['send-on-resolved'] === true
        const found = idsFor(state, { ...effective(state, alert, frame), isToldResolved, words })
        if (found.length === 0) state.unsent.add(frame.key)
        return found
      })
      return {
        ...paceOf(enabled, frame.note),
        ...descriptionOf(enabled),
        ...(ids.length === 0 ? {} : { notifyChannelIds: [...new Set(ids)] }),
        ...(enabled.length === 0 ? { alertsNobody: true } : {}),
      }
    },

    /** All channels, with those of providers that no endpoint uses. */
    channels(): readonly ForeignItem[] {
      for (const state of states.values()) {
        const { type, known, base, defaults, byGroup, note } = state
        if (!known) {
          note(`alerts by ${type}: ${unmatched(type)}`)
        } else if (!countOf.has(type)) {
          const isToldResolved = defaults['send-on-resolved'] === true
          idsFor(state, { config: base, isToldResolved, words: noWords, place: [] })
          for (const [group, settings] of known.hasNoGroups ? [] : byGroup) {
            const config = { ...base, ...given(settings) }
            idsFor(state, { config, isToldResolved, words: noWords, place: [group] })
          }
        }
        if (known?.offBecause !== undefined)
          note(`its channel is switched off: ${known.offBecause}`)
        if (known?.differs !== undefined) note(known.differs)
        if (state.unsent.size > 0) note(`it alerted of ${[...state.unsent].join(', ')}`)
      }
      return channels
    },
  }
}

const originCharsMax = 150

/** What Gatus sends; other news would look like one of these. */
const requestEvents = ['incident.opened', 'incident.reminder', 'incident.resolved'] as const

const alertFields = [
  'type',
  'enabled',
  'failure-threshold',
  'success-threshold',
  'minimum-reminder-interval',
  'description',
  'send-on-resolved',
  'provider-override',
]

function stateOf(type: string, settings: ForeignFields, note: Note): ProviderState {
  const { 'default-alert': defaults, overrides, ...base } = settings
  const known = providerOf(type)
  const taken = [...(known?.needs ?? []), ...(known?.takes ?? [])]
  const byGroup = new Map<string, ForeignFields>()
  for (const override of listOf(overrides).map(fieldsOf)) {
    const { group, ...more } = override
    const name = textOf(group)
    if (!byGroup.has(name)) byGroup.set(name, more)
    if (known) noteOthers(more, taken, note, `for the group "${name}": `)
  }
  if (known) noteOthers(base, taken, note)
  if (known?.hasNoGroups && byGroup.size > 0) note('its overrides: Gatus does not read them either')
  noteOthers(fieldsOf(defaults), alertFields, note, 'its default alert: ')
  return { type, known, base, defaults: fieldsOf(defaults), byGroup, note, unsent: new Set() }
}

/** The settings that are set: Gatus lets no other outweigh what is below. */
function given(settings: unknown): ForeignFields {
  const set = Object.entries(fieldsOf(settings)).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(set)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Gatus counts for each alert, a monitor for all. */
function paceOf(alerts: readonly ForeignFields[], note: Note): ForeignFields {
  const thresholds = (name: string, usual: number) =>
    alerts.map((alert) => {
      const number = numberOf(alert[name]) ?? 0
      return within(number > 0 ? number : usual, 1, limits.thresholdMax)
    })
  const failures = thresholds('failure-threshold', 3)
  const successes = thresholds('success-threshold', 2)
  for (const [what, all] of [
    ['failure-threshold', failures],
    ['success-threshold', successes],
  ] as const) {
    const [first, ...others] = [...new Set(all)].sort((one, other) => one - other)
    if (others.length > 0) {
      note(`the ${what} of its alerts differ (${[first, ...others].join(', ')}): ${first} is used`)
    }
  }
  const spans = alerts.flatMap((alert) => secondsOf(alert['minimum-reminder-interval']) ?? [])
  const reminders = spans.filter((seconds) => seconds > 0)
  const minutes = Math.min(...reminders) / 60
  return {
    failureThreshold: alerts.length === 0 ? 3 : Math.min(...failures),
    recoveryThreshold: alerts.length === 0 ? 2 : Math.min(...successes),
    ...(reminders.length === 0
      ? {}
      : { reminderMinutes: within(minutes, 1, limits.reminderMinutesMax) }),
  }
}

function descriptionOf(alerts: readonly ForeignFields[]): ForeignFields {
  const texts = alerts.map(({ description }) => textOf(description))
  const all = [...new Set(texts.filter((text) => text !== ''))].join('\n')
  return all === '' ? {} : { description: clip(all, limits.descriptionCharsMax) }
}
