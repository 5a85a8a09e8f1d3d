// The configuration of Gatus for an organization, as YAML.
//
// https://github.com/TwiN/gatus/blob/v5.36.0/README.md#configuration
import { isGroup, isTold, waitsForReports } from '../../checks/check-type.ts'
import { type ForeignFields, textOf } from '../../imports/foreign.ts'
import { keyOf } from '../../imports/gatus/key.ts'
import {
  commentLines,
  type ForeignWriting,
  type Outgoing,
  type OutgoingMonitor,
  outgoing,
} from '../outgoing.ts'
import { withVariables, yamlText } from '../yaml-text.ts'
import { createGatusAlerts, withoutQuotes } from './gatus-alerts.ts'
import { endpointOf, externalOf } from './gatus-endpoints.ts'
import { suiteOf } from './gatus-suites.ts'
import { createGatusVariables } from './gatus-variables.ts'
import { coveredBy, gatusWindow } from './gatus-windows.ts'

export function* gatusFile(document: object): ForeignWriting {
  const own = outgoing(document, ['statusPages', 'templates', 'locations'])
  const secrets = createGatusVariables()
  const alerts = createGatusAlerts(own, secrets)
  const { whole, windowsOf } = windowsIn(own)
  const { placeOf, freeName } = createPlaces(own)
  const parts = { endpoints: '', 'external-endpoints': '', suites: '' }
  for (const monitor of own.monitors) {
    const [part, item] = written(monitor)
    if (item) parts[part] += yamlText([item])
    yield
  }
  const sections = Object.entries(parts).filter(([, text]) => text !== '')
  const around = {
    ...(whole ? { maintenance: whole } : {}),
    ...(Object.keys(alerts.section()).length > 0 ? { alerting: alerts.section() } : {}),
  }
  const notes = own.notes.all()
  const text = [
    headOf(secrets.all(), commentLines(notes)),
    ...(Object.keys(around).length > 0 ? [yamlText(around)] : []),
    ...sections.map(([name, items]) => `${name}:\n${items}`),
  ].join('\n')
  const contentType = 'application/yaml; charset=utf-8'
  return { files: [{ name: 'gatus.yaml', contentType, text: withVariables(text) }], notes }

  function written(
    monitor: OutgoingMonitor,
  ): readonly [part: keyof typeof parts, item: ForeignFields | undefined] {
    if (isTold(monitor)) {
      const what = isGroup(monitor) ? 'its members have its name as group' : 'Gatus has no such'
      monitor.note(`left out: ${what}`)
      return ['endpoints', undefined]
    }
    const windows = windowsOf(monitor)
    const { labels, ...place } = placeOf(monitor)
    const alerted = alerts.of(monitor)
    const tail = {
      ...(alerted.length > 0 ? { alerts: alerted } : {}),
      ...(windows.length > 0 ? { 'maintenance-windows': windows } : {}),
    }
    if (waitsForReports(monitor)) {
      return ['external-endpoints', externalOf(monitor, { head: place, tail }, secrets)]
    }
    const head = { ...place, ...(labels ? { 'extra-labels': labels } : {}) }
    if (monitor.is('steps')) return ['suites', suiteOf(monitor, { head, tail, freeName }, secrets)]
    return ['endpoints', endpointOf(monitor, { head, tail }, secrets)]
  }
}

function headOf(variables: readonly (readonly [string, string])[], notes: string): string {
  const asked = variables.map(
    ([name, what]) => `#   ${name}: ${what.replaceAll(/\p{Cc}/gu, ' ')}\n`,
  )
  return [
    '# Made from an export of stillup, for Gatus 5.\n',
    ...(asked.length === 0
      ? []
      : [
          '#\n# It has no secrets. Give Gatus these variables of the environment, all of them: it does not start while one\n' +
            '# of an endpoint is empty, and ignores a channel of which one is.\n',
          ...asked,
        ]),
    ...(notes === '' ? [] : ['#\n# What is otherwise, or not in it:\n', notes]),
  ].join('')
}

/** The first window for everything is that of the configuration; others are with each endpoint. */
function windowsIn({ windows, notes }: Outgoing) {
  const readable = windows.flatMap((window) => {
    const form = gatusWindow(window, notes.of(textOf(window.name)))
    return form ? [{ form, covers: coveredBy(window) }] : []
  })
  const whole = readable.find(({ covers }) => covers === undefined)
  const others = readable.filter((one) => one !== whole)
  return {
    whole: whole?.form,
    windowsOf(monitor: OutgoingMonitor): readonly ForeignFields[] {
      const tags = monitor.texts('tags')
      return others.flatMap(({ form, covers }) => {
        return covers === undefined || covers(monitor.id, tags) ? [form] : []
      })
    },
  }
}

/** Each endpoint, also of a suite, has a key of its group and its name, which no other may have. */
function createPlaces({ groupsOf }: Outgoing) {
  const keys = new Set<string>()
  /** How many had the name, so that the next one need not be counted from the first. */
  const counts = new Map<string, number>()
  const freeName = (group: string | undefined, wanted: string): string => {
    const plain = withoutQuotes(wanted)
    const known = keyOf({ group, name: plain })
    let [name, count] = [plain, counts.get(known) ?? 1]
    while (keys.has(keyOf({ group, name }))) {
      count += 1
      name = `${plain} ${count}`
    }
    counts.set(known, count)
    keys.add(keyOf({ group, name }))
    return name
  }
  const placeOf = (monitor: OutgoingMonitor) => {
    const tags = monitor.texts('tags')
    const [group] = groupsOf(monitor)
    const named = group?.name ?? tags[0]
    const rest = tags.filter((tag) => tag !== named)
    const grouped = named && withoutQuotes(named)
    const name = freeName(grouped, monitor.name)
    if (name !== monitor.name)
      monitor.note(`it is "${name}" there, since names differ and have no quotes`)
    const lost = waitsForReports(monitor) && rest.length > 0
    if (lost) monitor.note(`not in it: the tags ${rest.join(', ')}`)
    return {
      name,
      ...(grouped === undefined ? {} : { group: grouped }),
      ...(rest.length > 0 ? { labels: { tags: rest.join(',') } } : {}),
    }
  }
  return { placeOf, freeName }
}
