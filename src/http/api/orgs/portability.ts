// The API of export and import: one document with the schemas of creation.
import type { Static, TObject } from 'typebox'
import {
  type ExportedName,
  exportedNames,
  nounOfList,
  nouns,
  recordOf,
} from '../../../base/nouns.ts'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { documentFormat, type PortableDocument } from '../../../services/portable.ts'
import { answer, get, post, resource } from '../../routing/route.ts'

/** The schemas of the items in each list of a document, for export and import. */
export type DocumentItems = Readonly<
  Record<ExportedName, { readonly out: TObject; readonly in: TObject }>
>

const admin = { role: 'admin' } as const

export function portability(items: DocumentItems) {
  return resource('/orgs/:orgId', {
    export: get('/export', {
      who: admin,
      summary: 'Export channels, monitors and status pages as one document, without secrets',
      out: documentOut(items),
      deadlineMs: limits.importMsMax,
    }).handledBy(async ({ scope }, { portability }) => {
      const document = await portability.export(scope)
      const name = `stillup-${scope.orgId}.json`
      return answer(toWire(document), {
        headers: [['Content-Disposition', `attachment; filename="${name}"`]],
      })
    }),
    import: post('/import', {
      who: admin,
      summary: 'Import everything in an exported document, or nothing if a part is refused',
      rate: 'bulk',
      body: documentIn(items),
      bodyBytesMax: limits.importBytesMax,
      jsonKeysMax: limits.importKeysMax,
      deadlineMs: limits.importMsMax,
      out: ImportedOut,
      message: 'Document imported',
    }).createdBy(
      ({ scope, body }, { portability }) => {
        const { format, organization, secretsOmitted } = body
        const lists = recordOf(exportedNames, (name) => body[name] ?? [])
        return portability.import(scope, { format, organization, secretsOmitted, ...lists })
      },
      (imported) => imported,
    ),
  })
}

const head = {
  format: s.oneOf([documentFormat]),
  secretsOmitted: s.listOf(s.anyText, limits.importKeysMax),
}

function documentOut(items: DocumentItems) {
  return s.object({
    ...head,
    organization: s.object({ name: s.anyText }),
    exportedAt: s.isoTime,
    ...recordOf(namesOf(items), (name) => s.listOf(items[name].out, itemsMax(name))),
  })
}

function documentIn(items: DocumentItems) {
  return s.object({
    ...head,
    secretsOmitted: s.optional(head.secretsOmitted),
    organization: s.optional(s.object({ name: s.text({ charsMax: limits.nameCharsMax }) })),
    exportedAt: s.optional(s.isoTime),
    ...recordOf(namesOf(items), (name) => {
      const most = Math.min(itemsMax(name), limits.importMonitorsMax)
      return s.optional(s.listOf(items[name].in, most))
    }),
  })
}

// In the order of the document. Object.keys loses the type of the names.
function namesOf(items: DocumentItems): readonly ExportedName[] {
  return Object.keys(items) as ExportedName[]
}

type DocumentOut = Static<ReturnType<typeof documentOut>>

function itemsMax(name: ExportedName): number {
  return nouns[nounOfList(name)].quota.max
}

const ImportedOut = s.object({
  ...recordOf(exportedNames, () => s.anyNumber),
  ids: s.mapOf(s.anyText, limits.importKeysMax),
  paused: s.described(
    s.listOf(
      s.object({ id: s.idOf('monitor'), secrets: s.listOf(s.anyText, limits.headersMax) }),
      limits.importMonitorsMax,
    ),
    'Monitors that were active and are paused, because `secretsOmitted` names secrets that the ' +
      'document lacks: set them, then resume the monitors.',
  ),
})

// The picked values fit the schemas of creation, because those schemas made the records.
function toWire(document: PortableDocument) {
  const { exportedAtMs = 0, ...rest } = document
  return { ...rest, exportedAt: s.toIso(exportedAtMs) } as unknown as DocumentOut
}
