// The API of live events: server-sent events (HTML Standard, section 9.2).
import { createPick } from '../../../base/schema/pick.ts'
import * as s from '../../../base/schema/schema.ts'
import type { Incident } from '../../../domain/incidents/incident.ts'
import { type LiveEvent, liveEventTypes } from '../../../domain/live-events/live-event.ts'
import type { NumberedEvent } from '../../../services/live-events/events.ts'
import { get, resource } from '../../routing/route.ts'
import { IncidentOut, incidentToWire } from '../incidents/incidents.ts'

const StreamQuery = s.object({
  types: s.optional(
    s.listOf(s.oneOf(liveEventTypes), liveEventTypes.length),
    'Only these types of events, separated by commas. Absent: all.',
  ),
})

/** Only the fields that the API shows. */
const pickIncident = createPick(IncidentOut)

/** How long a client waits before it reconnects. */
const retryMs = 2_000

function dataOf(event: LiveEvent): object {
  if (event.type === 'monitor.changed') {
    const { monitorId, name, change, atMs } = event
    return { monitorId, name, change, at: s.toIso(atMs) }
  }
  if (event.type === 'monitor.state') {
    const { monitorId, name, state, atMs } = event
    return { monitorId, name, state, at: s.toIso(atMs) }
  }
  if (event.type === 'check.completed') {
    const { type: _type, verdict: outcome, atMs, ...shown } = event
    return { ...shown, outcome, at: s.toIso(atMs) }
  }
  if (event.type === 'channels.changed') return {}
  return { incident: pickIncident(incidentToWire(event.incident, newestMs(event.incident))) }
}

/** The time of the event: an event is the same for all readers. */
const newestMs = ({ timeline, startedAtMs }: Incident) => timeline.at(-1)?.atMs ?? startedAtMs

// Many readers receive the same bytes.
const texts = new WeakMap<NumberedEvent, string>()

function textOf(numbered: NumberedEvent): string {
  let text = texts.get(numbered)
  if (text === undefined) {
    const { id, event } = numbered
    text = `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(dataOf(event))}\n\n`
    texts.set(numbered, text)
  }
  return text
}

export const events = resource('/orgs/:orgId/events', {
  about: 'What happens in an organization, as it happens (server-sent events).',
  open: get('/', {
    who: { role: 'viewer' },
    summary: 'Live events of the organization (server-sent events)',
    query: StreamQuery,
    streams: true,
  }).handledBy(({ scope, query, lastEventId }, { events }) => {
    const wanted = query.types === undefined ? undefined : new Set<string>(query.types)
    const isWanted = ({ event }: NumberedEvent) => !wanted || wanted.has(event.type)
    let writeSoon = (_text: string) => {}
    let write = writeSoon
    let close = () => {}
    const { missed, hasGap, leave } = events.subscribe(scope, lastEventId || undefined, {
      tell: (numbered) => isWanted(numbered) && writeSoon(textOf(numbered)),
      beat: () => write(':\n\n'),
      end: () => close(),
    })
    return {
      stream: true,
      open(line) {
        write = line.write
        writeSoon = line.writeSoon
        close = line.close
        line.onClosed(leave)
        line.write(`retry: ${retryMs}\n\n`)
        if (hasGap) line.write('event: stream.gap\ndata: {}\n\n')
        for (const numbered of missed) if (isWanted(numbered)) line.write(textOf(numbered))
      },
    }
  }),
})
