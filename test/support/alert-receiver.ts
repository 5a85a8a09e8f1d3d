// A receiver of alerts that knows repetitions by their id, and notes what it heard of each incident.
import type { Message } from '../../src/channels/model/message.ts'

/** It trusts the id alone: an opening under another id is another outage. */
export function createAlertReceiver() {
  const bytes = new Map<string, string>()
  const known = new Map<string, { openings: number; ends: number; isOpen: boolean }>()
  const problems: string[] = []
  const messages: Message[] = []

  const of = (id: string) => known.get(id) ?? { openings: 0, ends: 0, isOpen: false }

  function open(id: string): void {
    const { openings, ends, isOpen } = of(id)
    if (isOpen) problems.push(`${id} opened though it is open`)
    known.set(id, { openings: openings + 1, ends, isOpen: true })
  }

  /** The end of what was never opened tells of the whole outage. */
  function end(id: string): void {
    if (!of(id).isOpen) open(id)
    const { openings, ends } = of(id)
    known.set(id, { openings, ends: ends + 1, isOpen: false })
  }

  return {
    problems,
    messages,
    heard: (id: string) => {
      const { openings, ends } = of(id)
      return { openings, ends }
    },
    take(message: Message): void {
      const { id, event, payloadJson } = message
      const before = bytes.get(id)
      if (before !== undefined) {
        if (before !== payloadJson) problems.push(`${id} came again with other bytes`)
        return
      }
      bytes.set(id, payloadJson)
      messages.push(message)
      const { data } = JSON.parse(payloadJson)
      if (event === 'incident.opened') open(data.incident.id)
      if (event === 'incident.resolved') end(data.incident.id)
      if (event !== 'incident.digest') return
      const isOfEnds = data.event === 'incident.resolved'
      const ids: string[] = data.incidentIds ?? data.incidents.map((one: { id: string }) => one.id)
      for (const one of ids) (isOfEnds ? end : open)(one)
      for (const one of data.incidents) {
        const isEnd = one.state === 'resolved'
        if (isEnd !== isOfEnds) problems.push(`${one.id} is ${one.state} in the digest ${id}`)
      }
    },
  }
}
