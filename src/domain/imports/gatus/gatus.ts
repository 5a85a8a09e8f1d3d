// The configuration of Gatus, as parsed from YAML.
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignItem,
  type ForeignMonitor,
  fieldsOf,
  itemsOf,
  listOf,
  type Note,
  nameOf,
  textOf,
} from '../foreign.ts'
import { type Alerting, createAlerting } from './alerting.ts'
import { endpointOf, externalOf } from './endpoints.ts'
import { keyOf } from './key.ts'
import { type PagedMonitor, pageOf } from './page.ts'
import { documentId, type GatusItem } from './parts.ts'
import { noteSettings } from './settings.ts'
import { suiteOf } from './suites.ts'
import { plainTexts, withoutUnset } from './unset.ts'
import { windowsOf } from './windows.ts'

/** Monitors that one maintenance window may name. */
const windowMonitorsMax = 1_000

/** `installation`: a name that people give theirs, since its configuration has none. */
export function fromGatus(document: unknown, installation = 'gatus'): ForeignDocument {
  const config = fieldsOf(document)
  const notes = createNotes()
  const rest = notes.of(null)
  const alerting = createAlerting(config.alerting, (name, origin) => notes.of(name, origin))
  const made = createMonitors({ alerting, notesOf: notes.of, isPublic: !config.security })
  made.add('endpoint', itemsOf(config.endpoints, 'endpoints'), endpointOf)
  made.add('endpoint', itemsOf(config['external-endpoints'], 'external-endpoints'), externalOf)
  made.add('suite', itemsOf(config.suites, 'suites'), suiteOf)
  const { monitors, windows, shown } = made
  if (config.maintenance !== undefined) {
    const ids = shown.map(({ id }) => id)
    const isMany = ids.length > windowMonitorsMax
    if (isMany) rest('its maintenance window is for every monitor of the organization')
    const frame = { name: 'Maintenance', origin: 'maintenance', monitorIds: isMany ? [] : ids }
    windows.push(...windowsOf(fieldsOf(config.maintenance), { ...frame, note: rest }))
  }
  noteSettings(config, rest)
  const pages: ForeignItem[] = []
  if (!config.security && shown.length > 0) {
    pages.push(pageOf(config, shown, rest))
  } else if (config.ui !== undefined || config.announcements !== undefined) {
    rest('its page (ui, announcements): it asks for a sign-in, so no status page was made')
  }
  const channels = alerting.channels()
  const { names, secretsOmitted, ...settled } = withoutUnset({ channels, monitors }, notes)
  if (names.length > 0) {
    rest(`variables without a value: ${names.join(', ')}; give the file that has them with --env`)
  }
  const left = new Set(monitors.map(({ id }) => id))
  for (const { id } of settled.monitors) left.delete(id)
  const without = (ids: unknown) => listOf(ids).filter((id) => !left.has(String(id)))
  return {
    source: { product: 'gatus', installation },
    ...settled,
    statusPages: plainTexts(pages).map((page) => ({
      ...page,
      publicMonitorIds: without(page.publicMonitorIds),
      sections: listOf(page.sections)
        .map(fieldsOf)
        .map((section) => ({ ...section, monitorIds: without(section.monitorIds) })),
    })),
    maintenance: plainTexts(windows).flatMap((window) => {
      const monitorIds = without(window.monitorIds)
      return monitorIds.length === 0 && listOf(window.monitorIds).length > 0
        ? []
        : [{ ...window, monitorIds }]
    }),
    ...(secretsOmitted.length === 0 ? {} : { secretsOmitted }),
    notes: plainTexts(notes.all()),
  }
}

interface MonitorsFrame {
  readonly alerting: Alerting
  readonly notesOf: (name: string, origin: string) => Note
  readonly isPublic: boolean
}

function createMonitors({ alerting, notesOf, isPublic }: MonitorsFrame) {
  const monitors: ForeignMonitor[] = []
  const windows: ForeignItem[] = []
  const shown: PagedMonitor[] = []
  const known = new Set<string>()
  /** The last window of each schedule. */
  const byTimes = new Map<string, number>()

  /** Endpoints share a window with others that have the same times: often all have those of an anchor. */
  function addWindows(made: readonly ForeignItem[]): void {
    for (const one of made) {
      const times = JSON.stringify([one.cron, one.durationMinutes, one.timezone])
      const index = byTimes.get(times)
      const before = index === undefined ? undefined : windows[index]
      const ids = [...listOf(before?.monitorIds), ...listOf(one.monitorIds)]
      if (index !== undefined && before && ids.length <= windowMonitorsMax) {
        const others = ' and others'
        const name = before.name.endsWith(others) ? before.name : `${before.name}${others}`
        windows[index] = { ...before, name: nameOf(name, name), monitorIds: [...new Set(ids)] }
      } else {
        byTimes.set(times, windows.length)
        windows.push(one)
      }
    }
  }

  function add(
    kind: 'endpoint' | 'suite',
    items: readonly ForeignFields[],
    convert: (item: GatusItem) => readonly ForeignMonitor[],
  ): void {
    for (const [index, item] of items.entries()) {
      const name = nameOf(item.name, `${kind === 'suite' ? 'Suite' : 'Endpoint'} ${index + 1}`)
      const key = keyOf(item)
      const note = notesOf(name, `${kind}/${key}`)
      if (known.has(`${kind}/${key}`)) {
        note(
          'another one before it has the same group and name: Gatus refuses that; it was left out',
        )
        continue
      }
      known.add(`${kind}/${key}`)
      const group = textOf(item.group)
      const frame = { group, key, note, hasDefaults: kind !== 'suite' }
      const parts = kind === 'suite' ? listOf(item.endpoints).map(fieldsOf) : [item]
      const alerted = alerting.of(parts, frame)
      const ids: string[] = []
      for (const [part, monitor] of convert({ item, name, note, alerted }).entries()) {
        const id = documentId('mon', monitors.length)
        const origin = `${kind}/${key}${part === 0 ? '' : '/domain'}`
        ids.push(id)
        shown.push({ id, group })
        monitors.push({ id, origin, ...monitor, ...(isPublic ? { isPublic } : {}) })
      }
      // A window without monitors would be for all of them.
      for (const one of ids.length === 0 ? [] : parts) {
        for (const [at, window] of listOf(one['maintenance-windows']).map(fieldsOf).entries()) {
          const origin = `maintenance/${keyOf(one)}/${at + 1}`
          addWindows(windowsOf(window, { name, origin, monitorIds: ids, note }))
        }
      }
    }
  }

  return { add, monitors, windows, shown }
}
