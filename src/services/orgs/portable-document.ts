// The export document: its format, and which parts of the stored records it contains.
import type { Config } from '../../channels/model/config.ts'
import { channelDefinition } from '../../channels/registry.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorFields } from '../../domain/monitors/monitor-input.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import type { NewChannel } from '../alerts/channel-fields.ts'
import type { NewPage } from '../pages/pages.ts'

/** Changes when an older daemon could misread the document. */
export const documentFormat = 'stillup/1'

/** Objects refer to each other by their ids in the document; an import assigns new ones. */
export interface PortableDocument {
  readonly format: typeof documentFormat
  readonly exportedAtMs?: number | undefined
  readonly organization?: { readonly name: string } | undefined
  /** Pointers to the omitted secrets. An import ignores them. */
  readonly secretsOmitted?: readonly string[] | undefined
  readonly channels: readonly (NewChannel & Named)[]
  readonly monitors: readonly (MonitorFields & Named)[]
  readonly statusPages: readonly (NewPage & Named & { readonly subdomain?: Cleared })[]
}

interface Named {
  readonly id?: string | undefined
}

type Cleared = string | null | undefined

export interface Exported {
  readonly organization: { readonly name: string }
  readonly exportedAtMs: number
  readonly channels: readonly Channel[]
  readonly monitors: readonly { readonly monitor: Monitor; readonly body: string | null }[]
  readonly pages: readonly StatusPage[]
}

export function exportedDocument(exported: Exported): PortableDocument {
  const { organization, exportedAtMs, channels, monitors, pages } = exported
  return {
    format: documentFormat,
    organization,
    exportedAtMs,
    secretsOmitted: [
      ...channels.flatMap((channel, index) => channelSecrets(channel, `/channels/${index}`)),
      ...monitors.flatMap(({ monitor }, index) => monitorSecrets(monitor, `/monitors/${index}`)),
    ],
    channels: channels.map(portableChannel),
    monitors: monitors.map(({ monitor, body }) => ({ ...portableMonitor(monitor), body })),
    statusPages: pages.map(portablePage),
  }
}

// Omits what belongs to this installation: owner, creation time, and encrypted parts.

function portableChannel(channel: Channel) {
  const { orgId, secretsBox, disabledReason, createdAtMs, updatedAtMs, revision, ...own } = channel
  return { ...own, config: openConfig(channel) }
}

function portableMonitor(monitor: Monitor) {
  const { orgId, headerNames, requestBox, pushTokenHash, pushTokenBox, ...more } = monitor
  const { createdAtMs, updatedAtMs, revision, ...own } = more
  return own
}

function portablePage({ orgId, createdAtMs, updatedAtMs, revision, ...own }: StatusPage) {
  return own
}

/** The config without its secret fields, which are masked elsewhere and absent here. */
function openConfig({ type, config }: Channel): Config {
  const { secrets } = channelDefinition(type)
  return Object.fromEntries(Object.entries(config).filter(([name]) => !secrets.includes(name)))
}

function channelSecrets({ type, config }: Channel, pointer: string): string[] {
  return channelDefinition(type).secrets.flatMap((field) => {
    const value = config[field]
    const here = `${pointer}/config/${field}`
    if (value === undefined) return []
    if (typeof value !== 'object' || value === null) return [here]
    return Object.keys(value).map((name) => `${here}/${pointerPart(name)}`)
  })
}

function monitorSecrets({ headerNames, pushTokenHash }: Monitor, pointer: string): string[] {
  const headers = headerNames.map((name) => `${pointer}/headers/${pointerPart(name)}`)
  return pushTokenHash === null ? headers : [...headers, `${pointer}/pushToken`]
}

/** One part of an RFC 6901 pointer. */
function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
