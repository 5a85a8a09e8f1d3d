// The API of export and import: one document with the schemas of creation.
import type { Static, TObject, TSchema } from 'typebox'
import {
  type ExportedName,
  exportedNames,
  nounOfList,
  nouns,
  recordOf,
} from '../../../base/nouns.ts'
import * as s from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { documentFormat, type PortableDocument } from '../../../services/portable.ts'
import { organizationLocale } from '../../output/account-wire.ts'
import { answer, get, post, resource } from '../../routing/route.ts'

/** The schemas of the items in each list of a document, for export and import. */
export type DocumentItems = Readonly<
  Record<ExportedName, { readonly out: TObject; readonly in: TObject }>
>

const admin = { role: 'admin' } as const

export function portability(items: DocumentItems) {
  const problemsOutsideItems = createCheck(documentIn(anyItems), limits.fieldProblemsMax)
  const checks = recordOf(exportedNames, (name) =>
    createCheck(items[name].in, limits.fieldProblemsMax),
  )
  const problemsOfItem = (name: ExportedName, item: object) => checks[name](item)

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
      bodyShape: s.mapOf(s.anything, limits.importKeysMax),
      bodyBytesMax: limits.importBytesMax,
      jsonKeysMax: limits.importKeysMax,
      deadlineMs: limits.importMsMax,
      out: ImportedOut,
      message: 'Document imported',
    }).createdBy(
      ({ scope, body }, { portability }) => {
        const problems = problemsOutsideItems(body)
        const lists = recordOf(exportedNames, (name) => listIn(body[name]))
        const { organization, secretsOmitted } = body
        // With problems outside the items, only the items are read.
        const around = problems.length > 0 ? {} : { organization, secretsOmitted }
        return portability.import(
          scope,
          { format: documentFormat, ...around, ...lists },
          { problems, problemsOfItem },
        )
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
    organization: s.object({ name: s.anyText, ...organizationLocale }),
    exportedAt: s.isoTime,
    ...recordOf(namesOf(items), (name) => s.listOf(items[name].out, itemsMax(name))),
  })
}

/** Items of any shape: each is validated by itself, so that one answer has the problems of all. */
const anyItems = recordOf(exportedNames, () => ({ in: s.anything }))

/**
 * The list, if there is one; the check of the whole has found another value. An item that is not an
 * object is refused before it is read as one.
 */
function listIn(value: readonly unknown[] | undefined): readonly object[] {
  return Array.isArray(value) ? (value as readonly object[]) : []
}

function documentIn(items: Readonly<Record<ExportedName, { readonly in: TSchema }>>) {
  return s.object({
    ...head,
    secretsOmitted: s.optional(head.secretsOmitted),
    organization: s.optional(
      s.described(
        s.object({
          name: s.text({ charsMax: limits.nameCharsMax }),
          language: s.optional(organizationLocale.language),
          timezone: s.optional(organizationLocale.timezone),
        }),
        'Where the document comes from. The organization that imports it keeps its own.',
      ),
    ),
    exportedAt: s.optional(s.isoTime),
    ...recordOf(namesOf(items), (name) => {
      const most = Math.min(itemsMax(name), limits.importMonitorsMax)
      return s.optional(s.listOf(items[name].in, most))
    }),
  })
}

// In the order of the document. Object.keys loses the type of the names.
function namesOf(items: object): readonly ExportedName[] {
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
