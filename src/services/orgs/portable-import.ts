// Prepares an import: validates every part like a creation and maps its references to new ids.
import type { Clock } from '../../base/clock.ts'
import { invalidField } from '../../base/fault.ts'
import { type MonitorId, newId, type OrgId } from '../../base/ids.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { completedInput } from '../../domain/monitors/monitor-input.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import type { Configs } from '../alerts/channel-config.ts'
import { newChannel } from '../alerts/channel-fields.ts'
import type { Drafts } from '../monitors/monitor-drafts.ts'
import { createProblems } from '../monitors/part-problems.ts'
import { mergedPage, newPage } from '../pages/page-fields.ts'
import type { PortableDocument } from './portable-document.ts'

/** Records ready to be written, if there is room and their addresses are free. */
export interface Prepared {
  readonly channels: readonly Channel[]
  readonly monitors: readonly Monitor[]
  /** With the requested slug; whether it is free is decided when it is written. */
  readonly pages: readonly { readonly page: StatusPage; readonly slug: string | null }[]
  readonly ids: ReadonlyMap<string, string>
}

export interface ImportTools {
  readonly clock: Clock
  readonly drafts: Drafts
  readonly configs: Configs
}

/** Throws one Fault with all problems found, at most limits.fieldProblemsMax. */
export async function prepare(
  { clock, drafts, configs }: ImportTools,
  orgId: OrgId,
  document: PortableDocument,
): Promise<Prepared> {
  const nowMs = clock.nowMs()
  const book = createReferences()
  const problems = createProblems(clock)

  const channels = problems.ofEach('/channels', document.channels, (said) => {
    const { id, ...input } = said
    const sealed = configs.seal(input.type, input.config)
    const channel = newChannel(input, sealed, { orgId, isFirst: false, nowMs })
    return book.note(id, channel)
  })

  const monitors = await problems.ofMany('/monitors', document.monitors, ({ id, ...fields }) => {
    const said = (fields.notifyChannelIds ?? []) as readonly string[]
    const notifyChannelIds = said.map((text, index) =>
      book.referred(text, 'chn_', `/notifyChannelIds/${index}`),
    )
    const input = completedInput({ ...fields, notifyChannelIds })
    drafts.judge(orgId, input, { areChannelsKnown: true })
    return book.note(id, drafts.monitorOf(orgId, input))
  })

  const pages = problems.ofEach('/statusPages', document.statusPages, (said) => {
    const { id, subdomain, slug = null, publicMonitorIds, ...rest } = said
    const blank = newPage({ id: newId('page', nowMs), orgId, name: rest.name, nowMs })
    const shown = publicMonitorIds?.map(
      (text, index) => book.referred(text, 'mon_', `/publicMonitorIds/${index}`) as MonitorId,
    )
    const page = mergedPage(blank, { ...rest, publicMonitorIds: shown ?? null }, nowMs)
    return { page: book.note(id, { ...page, subdomain: subdomain || null }), slug }
  })
  problems.throwAny()
  return { channels, monitors, pages, ids: book.ids }
}

/** Maps the ids of the document to those of the new records. */
function createReferences() {
  const ids = new Map<string, string>()
  return {
    ids,
    /** Returns the record. Throws if the document uses the id twice. */
    note<Rec extends { readonly id: string }>(id: string | undefined, record: Rec): Rec {
      if (id === undefined) return record
      if (ids.has(id)) throw invalidField('/id', 'uniqueItems', 'is used twice in the document')
      ids.set(id, record.id)
      return record
    },
    /** Throws if the document has no such object before. */
    referred(id: string, prefix: string, pointer: string): string {
      const found = ids.get(id)
      if (found?.startsWith(prefix)) return found
      throw invalidField(pointer, 'reference', 'is not in the document')
    },
  }
}
