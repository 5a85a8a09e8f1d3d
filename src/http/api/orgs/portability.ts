// The API of export and import: one document with the schemas of creation.
import type { Static } from 'typebox'
import {
  anyNumber,
  anyText,
  idOf,
  isoTime,
  listOf,
  mapOf,
  object,
  oneOf,
  optional,
  text,
  toIso,
} from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { MonitorFields } from '../../../domain/monitors/monitor-input.ts'
import { documentFormat, type PortableDocument } from '../../../services/orgs/portable-document.ts'
import { documented } from '../../routing/documented.ts'
import { answer, get, post, resource } from '../../routing/route.ts'
import { anyFields, byChannelType, channelFields } from '../alerts/alert-channels.ts'
import { MonitorIn, urlUnlessPush } from '../monitors/monitor-input-schemas.ts'
import { PageIn, subdomainIn } from '../pages/status-pages.ts'

const pageMore = {
  subdomain: optional(subdomainIn),
}
const whole = {
  format: oneOf([documentFormat]),
  secretsOmitted: listOf(anyText, limits.importKeysMax),
}

const DocumentOut = object({
  ...whole,
  organization: object({ name: anyText }),
  exportedAt: isoTime,
  channels: listOf(
    object({ id: idOf('channel'), ...channelFields, config: anyFields }),
    limits.quotaMax,
  ),
  monitors: listOf(
    object({ id: idOf('monitor'), ...MonitorIn.properties }),
    limits.monitorsQuotaMax,
  ),
  statusPages: listOf(
    object({ id: idOf('page'), ...PageIn.properties, ...pageMore }),
    limits.quotaMax,
  ),
})

const DocumentIn = object({
  ...whole,
  secretsOmitted: optional(whole.secretsOmitted),
  organization: optional(object({ name: text({ charsMax: limits.nameCharsMax }) })),
  exportedAt: optional(isoTime),
  channels: optional(
    listOf(
      byChannelType(object({ id: optional(idOf('channel')), ...channelFields })),
      limits.quotaMax,
    ),
  ),
  monitors: optional(
    listOf(
      documented(object({ id: optional(idOf('monitor')), ...MonitorIn.properties }), urlUnlessPush),
      limits.importMonitorsMax,
    ),
  ),
  statusPages: optional(
    listOf(
      object({ id: optional(idOf('page')), ...PageIn.properties, ...pageMore }),
      limits.quotaMax,
    ),
  ),
})

const ImportedOut = object({
  channels: anyNumber,
  monitors: anyNumber,
  statusPages: anyNumber,
  ids: mapOf(anyText, limits.importKeysMax),
})

const admin = { role: 'admin' } as const

export const portability = resource('/orgs/:orgId', {
  export: get(
    '/export',
    {
      who: admin,
      summary: 'Export channels, monitors and status pages as one document, without secrets',
      out: DocumentOut,
      deadlineMs: limits.importMsMax,
    },
    async ({ scope }, { portability }) => {
      const document = await portability.export(scope)
      const name = `stillup-${scope.orgId}.json`
      return answer(documentToWire(document), {
        headers: [['Content-Disposition', `attachment; filename="${name}"`]],
      })
    },
  ),
  import: post(
    '/import',
    {
      who: admin,
      summary: 'Import everything in an exported document, or nothing if a part is refused',
      creates: true,
      rate: 'bulk',
      body: DocumentIn,
      bodyBytesMax: limits.importBytesMax,
      jsonKeysMax: limits.importKeysMax,
      deadlineMs: limits.importMsMax,
      out: ImportedOut,
      message: 'Document imported',
    },
    ({ scope, body }, { portability }) => {
      const { channels = [], monitors = [], statusPages = [] } = body
      const { format, organization } = body
      return portability.import(scope, {
        format,
        organization,
        channels,
        statusPages,
        // The schema has validated each field, like a creation.
        monitors: monitors as readonly (MonitorFields & { id?: string })[],
      })
    },
  ),
})

// The picked values fit the schemas of creation, because those schemas made the records.
function documentToWire(document: PortableDocument) {
  const { exportedAtMs = 0, ...rest } = document
  return { ...rest, exportedAt: toIso(exportedAtMs) } as unknown as Static<typeof DocumentOut>
}
