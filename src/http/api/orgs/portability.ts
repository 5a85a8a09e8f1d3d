// The API of export and import: one document with the schemas of creation.

import type { Static, TObject, TSchema } from 'typebox'
import { required } from '../../../base/assert.ts'
import { invalidParameter } from '../../../base/fault.ts'
import {
  type ExportedName,
  exportedNames,
  nounOfList,
  nouns,
  recordOf,
} from '../../../base/nouns.ts'
import { perObject } from '../../../base/per-object.ts'
import { createPick } from '../../../base/schema/pick.ts'
import * as s from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import { Written } from '../../../base/schema/write.ts'
import { laterTurn } from '../../../base/yielding.ts'
import type { ForeignExport } from '../../../domain/exports/outgoing.ts'
import { prometheusFiles } from '../../../domain/exports/prometheus.ts'
import { foreignEnvironmentCharsMax } from '../../../domain/imports/gatus/environment.ts'
import { planActions } from '../../../domain/imports/import-record.ts'
import { limits } from '../../../domain/limits/limits.ts'
import {
  pingKeyCharsMax,
  pingKeyPattern,
  pingKeysMax,
} from '../../../domain/monitors/kept-address.ts'
import { foreignFormats } from '../../../services/orgs/exports/foreign-exports.ts'
import { fetchedProducts } from '../../../services/orgs/foreign-fetch.ts'
import { foreignProducts } from '../../../services/orgs/foreign-files.ts'
import type { DocumentShape } from '../../../services/orgs/portability.ts'
import {
  documentFormat,
  type ImportedDocument,
  type PortableDocument,
  windowOmissions,
} from '../../../services/portable.ts'
import { timeIn } from '../../input/times.ts'
import {
  exampleCertificate,
  exampleChannel,
  exampleMaintenance,
  exampleMonitor,
} from '../../openapi/examples.ts'
import { organizationLocale } from '../../output/account-wire.ts'
import { answer, get, type PlainAnswer, post, resource } from '../../routing/route.ts'
import { carriedSubscribers, subscribersImported } from '../subscribers/subscribers.ts'
import { tagColors } from './tag-colors.ts'

/** The schemas of the items in each list of a document, for export and import. */
export type DocumentItems = Readonly<
  Record<ExportedName, { readonly out: TObject; readonly in: TObject }>
>

const admin = { role: 'admin' } as const

export type OrgDocuments = ReturnType<typeof orgDocuments>

type ReadDocument = Readonly<Record<string, unknown>> & Partial<Record<ExportedName, unknown>>

/** Documents as the API shows and validates them. */
export function orgDocuments(ofNouns: DocumentItems) {
  const items = recordOf(namesOf(ofNouns), (name) => {
    const { in: taken, out } = ofNouns[name]
    const own = withOrigin(taken)
    return { in: name === 'statusPages' ? withSubscribers(own) : own, out }
  })
  const out = documentOut(items)
  const picked = createPick(out)
  const shown = (document: PortableDocument): unknown => picked(toWire(document))
  const problemsOutsideItems = createCheck(documentIn(anyItems), limits.fieldProblemsMax)
  const checks = recordOf(exportedNames, (name) =>
    createCheck(items[name].in, limits.fieldProblemsMax),
  )
  const problemsOfItem = (name: ExportedName, item: object) => checks[name](item)

  return {
    out,
    in: documentIn(items),
    shown,
    /** Callers who share a document share its text. */
    written: perObject((document: PortableDocument) =>
      Written.foreign<DocumentOut>(JSON.stringify(shown(document))),
    ),
    /** What a body holds, with what its items are checked by. */
    read(body: ReadDocument): [document: ImportedDocument, shape: DocumentShape] {
      const problems = problemsOutsideItems(body)
      const lists = recordOf(exportedNames, (name) => listIn(body[name]))
      // With problems outside the items, only the items are read.
      const around = problems.length > 0 ? {} : headOf(body)
      const shape = { problems, problemsOfItem }
      return [{ format: documentFormat, ...around, ...lists }, shape]
    },
  }
}

export const importKeysMax = 1_000_000
/** Files of other products over the API; the command line takes limits.importBytesMax. */
export const foreignFileCharsMax = 2 * 1024 * 1024
const foreignFileBytesMax = 4 * 1024 * 1024
const foreignKeyCharsMax = 1_000
const foreignFilesMax = 1_000

const fileName = s.text({ charsMin: 1, charsMax: limits.nameCharsMax })

export function portability(documents: OrgDocuments) {
  /** What an import and its trial take alike. */
  const importing = {
    who: admin,
    rate: 'bulk',
    query: s.object({
      remakes: s.optional(
        s.flag,
        'Makes again what was deleted here since a former import of the same items.',
      ),
      isShadow: s.optional(
        s.flag,
        'The monitors that it makes begin a shadow run: they are checked as always, but no channel, status page or ' +
          'subscriber hears of them until `POST …/imports/{importId}/go-live`.',
      ),
      leavesOut: s.optional(
        s.flag,
        'Does without the items that are refused, and tells each in the `plan` (`leftOut`). What names one ' +
          'does without it; a maintenance window for nothing else is left out, too. An item that only wants what ' +
          'another one has (a kept address, the slug or subdomain of a page) comes without that.',
      ),
    }),
    body: documents.in,
    bodyShape: s.mapOf(s.anything, importKeysMax),
    bodyBytesMax: limits.importBytesMax,
    jsonKeysMax: importKeysMax,
    deadlineMs: limits.importMsMax,
    out: ImportedOut,
  } as const

  return resource('/orgs/:orgId', {
    export: get('/export', {
      who: admin,
      summary:
        'Export channels, monitors, status pages, maintenance windows and templates, without the values of secrets',
      description:
        'Without values of headers, push tokens, secrets and those of channels: `secretsOmitted` names ' +
        'them. ' +
        'The bodies of requests and whole URLs are part of what is checked and are in it: ' +
        '`maybeSecret` names them. Pictures of pages are in it in base64, 8 MiB in all; ' +
        '`picturesOmitted` names the others.',
      query: s.object({
        format: s.preset(
          s.oneOf(['stillup', ...foreignFormats]),
          'stillup',
          'Another product that shall read it: its file, as it is, in place of the document. What the product has ' +
            'no words for is named in the file.',
        ),
        file: s.optional(
          s.oneOf(prometheusFiles),
          'Which of the files of `prometheus`: the first of them without it.',
        ),
      }),
      out: documents.out,
      plain: { status: 200, contentType: 'application/yaml', orContentType: 'text/csv' },
      deadlineMs: limits.importMsMax,
    }).handledBy(async ({ scope, query }, { portability, foreignExports }) => {
      const { format, file } = query
      if (file !== undefined && format !== 'prometheus') {
        throw invalidParameter('file', 'conflict', 'is only for the format prometheus')
      }
      if (format !== 'stillup') return fileOf(await foreignExports.export(scope, format), file)
      const document = await portability.export(scope)
      // Writing it takes a turn of its own.
      await laterTurn()
      const name = `stillup-${scope.orgId}.json`
      return answer(documents.written(document), {
        headers: [['Content-Disposition', `attachment; filename="${name}"`]],
      })
    }),
    import: post('/import', {
      ...importing,
      example: {
        format: documentFormat,
        organization: { name: 'Acme' },
        channels: [exampleChannel],
        monitors: [exampleMonitor, exampleCertificate],
        statusPages: [{ name: 'Acme status', slug: 'acme' }],
        maintenance: [exampleMaintenance],
      },
      summary: 'Import everything in an exported document, or nothing if a part is refused',
      message: 'Document imported',
    }).createdBy(
      ({ scope, body, query, signal }, { portability }) => {
        const [document, shape] = documents.read(body)
        return portability.import(scope, document, { shape, ...query, signal })
      },
      (imported) => imported,
    ),
    tryImport: post('/import/trial', {
      ...importing,
      example: { format: documentFormat, monitors: [exampleMonitor] },
      summary: 'Say what an import would create, or what is wrong, without creating anything',
    }).handledBy(({ scope, body, query, signal }, { portability }) => {
      const [document, shape] = documents.read(body)
      return portability.tryImport(scope, document, { shape, ...query, signal })
    }),
    importProgress: get('/import/progress', {
      who: admin,
      summary: 'How far the present import is, or its trial',
      out: s.object({
        progress: s.nullable(
          s.object({ doneItems: s.anyNumber, totalItems: s.anyNumber }),
          'What was examined of the document; null while none is imported or tried',
        ),
      }),
    }).handledBy(({ scope }, { portability }) => ({ progress: portability.progress(scope) })),
    convert: post('/import/convert', {
      who: admin,
      summary: 'Make a document for an import of a file of another product',
      rate: 'bulk',
      example: {
        product: 'healthchecks',
        text: '{"checks": [{"name": "Nightly backup", "timeout": 86400, "grace": 3600}]}',
      },
      body: s.object({
        product: s.described(
          s.oneOf(foreignProducts),
          'What wrote the file: a backup or list of monitors of Uptime Kuma, the YAML of Gatus, ' +
            'the answers of `/api/monitor/get-list` and `/api/monitor-status/get-list` of OneUptime, one after ' +
            'the other, the list of checks of Healthchecks, the answers of version 3 or 2 of the API of UptimeRobot, lists of the API of Better Stack, answers of the APIs of Pingdom and Checkly, what `POST …/import/fetch` reads of Statuspage, the files of Prometheus and its blackbox exporter with lines `---` between them, or a table in CSV.',
        ),
        text: s.text({ charsMax: foreignFileCharsMax, description: 'The content of the file.' }),
        name: s.optional(fileName, 'Gatus and Prometheus: the name of the file in its folder.'),
        more: s.optional(
          s.listOf(
            s.object({
              name: s.described(fileName, 'Its name in the folder.'),
              text: s.text({ charsMax: foreignFileCharsMax, description: 'Its content.' }),
            }),
            foreignFilesMax,
          ),
          'Gatus and Prometheus: the other files of the folder. Gatus merges them, and so does this.',
        ),
        environment: s.optional(
          s.text({
            charsMax: foreignEnvironmentCharsMax,
            description:
              'Gatus: the variables of its environment, `NAME=value` in lines. Secrets whose variables are not among ' +
              'them are asked for after the import.',
          }),
        ),
        installation: s.optional(
          s.text({
            charsMin: 1,
            charsMax: originCharsMax,
            description:
              'Gatus and Prometheus: what to call the installation, so that two of them stay apart. Absent: `gatus`, or the external labels.',
          }),
        ),
      }),
      bodyBytesMax: foreignFileBytesMax,
      deadlineMs: limits.importMsMax,
      description:
        `One file of an organization is converted at a time, and at most ` +
        `${limits.conversionsOfOrg.quota} a minute; each takes at most ` +
        `${limits.conversionCpuMsMax / 1_000} seconds of the processor.`,
      out: ConvertedOut,
    }).handledBy(async ({ scope, body, signal }, { conversions }) =>
      Written.foreign(await conversions.run(scope, body, signal)),
    ),
    fetchForeign: post('/import/fetch', {
      who: admin,
      summary: 'Make a document for an import of what the API of another product tells',
      rate: 'bulk',
      example: {
        product: 'healthchecks',
        url: 'https://healthchecks.io',
        key: 'hcr_the-key-of-the-project',
      },
      body: s.object({
        product: s.described(s.oneOf(fetchedProducts), 'Whose API it is.'),
        url: s.text({
          charsMax: limits.urlCharsMax,
          description: 'Where the service is, such as `https://healthchecks.io`.',
        }),
        key: s.text({
          charsMax: foreignKeyCharsMax,
          description:
            'The key of its API. It is sent to the service for this request, and kept nowhere. Healthchecks: with one ' +
            'that may only read, ping addresses and integrations are not told.',
        }),
        pingKey: s.optional(
          s.text({
            charsMax: foreignKeyCharsMax,
            description:
              'Healthchecks: the ping key of the project, so that addresses with slugs are kept; its API does not tell it.',
          }),
        ),
      }),
      deadlineMs: limits.importMsMax,
      description:
        'The service is asked as monitors are: by what the operator lets them reach. It takes the place of a ' +
        'conversion of `POST …/import/convert`, and has the same bounds.',
      out: ConvertedOut,
    }).handledBy(async ({ scope, body, signal }, { conversions }) =>
      Written.foreign(await conversions.fetched(scope, body, signal)),
    ),
  })
}

/** The characters of an origin, and of what names a product and its installation. */
export const originCharsMax = 200
/** The past of one monitor that a file brings. */
const historyDaysMax = 800
const historyHoursMax = 24 * 92
const historyOutagesMax = 1_000

const sourceText = (description: string) =>
  s.text({ charsMin: 1, charsMax: originCharsMax, description })

export const foreignSource = s.object({
  product: sourceText('The product, such as `kuma`.'),
  installation: sourceText('What tells this installation from others, the same in each document.'),
})

/** Until the year 9999. */
const pastTime = s.fraction(0, 253_402_300_799_999)
const pastSpan = (description: string) => s.described(s.fraction(0, 86_400_000_000), description)
const pastCount = (description: string) => s.described(s.fraction(0, 1_000_000_000), description)

const period = {
  startMs: s.described(pastTime, 'When it begins, in ms since 1970.'),
  upMs: pastSpan('How long it was up, in ms.'),
  downMs: pastSpan('How long it was down, in ms.'),
  maintenanceMs: pastSpan('How long it was in maintenance, in ms.'),
  checks: pastCount('How many checks there were.'),
  failures: pastCount('How many of them failed.'),
  latencyMs: s.nullable(
    s.object({
      mean: pastSpan('Of all of them, in ms.'),
      min: pastSpan('The shortest, in ms.'),
      max: pastSpan('The longest, in ms.'),
    }),
    'Of the checks that were up; null: there are none, or they were not measured.',
  ),
}

/** Pointers to omitted secrets in a document. */
export const secretsOmittedMax = 100_000

/** The past of one monitor, as files bring it. */
export const foreignHistory = s.object({
  origin: sourceText('What the monitor is in the other product.'),
  days: s.described(s.listOf(s.object(period), historyDaysMax), 'UTC days, oldest first.'),
  hours: s.described(s.listOf(s.object(period), historyHoursMax), 'UTC hours, oldest first.'),
  outages: s.described(
    s.listOf(
      s.object({
        fromMs: s.described(pastTime, 'When it went down, in ms since 1970.'),
        toMs: s.nullable(pastTime, 'When it was up again; null: it is down still.'),
        text: s.described(s.anyText, 'What was said of it.'),
        title: s.optional(s.anyText, 'What people called it. Absent: after the monitor.'),
        isDegraded: s.optional(s.flag, 'It worked, but less than fully.'),
      }),
      historyOutagesMax,
    ),
    'Times in which it was down, oldest first.',
  ),
})

const untoldFieldsMax = 20
const untoldFields = s.listOf(s.text({ charsMax: limits.nameCharsMax }), untoldFieldsMax)

const foreignItems = s.optional(s.listOf(s.anything, limits.importMonitorsMax))

export const ConvertedOut = s.object({
  document: s.described(
    s.object({
      format: s.oneOf([documentFormat]),
      source: s.optional(foreignSource),
      secretsOmitted: s.optional(s.listOf(s.anyText, secretsOmittedMax)),
      keptPingKeys: s.optional(s.listOf(s.anyText, pingKeysMax)),
      tagColors: s.optional(tagColors),
      untoldFields: s.optional(untoldFields),
      channels: foreignItems,
      secrets: s.optional(
        s.listOf(s.anything, limits.importMonitorsMax),
        'Those that the monitors name, without values.',
      ),
      monitors: s.listOf(s.anything, limits.importMonitorsMax),
      statusPages: foreignItems,
      maintenance: foreignItems,
    }),
    'For `POST …/import`, as it is or changed.',
  ),
  notes: s.described(
    // The last one says how many more there are.
    s.listOf(
      s.object({
        name: s.nullable(s.anyText),
        text: s.anyText,
        origin: s.optional(s.anyText),
      }),
      limits.importNotesMax + 1,
    ),
    'What was not taken over, or in another way, with the name of its item and what this is there; ' +
      '`name` is null: it concerns all of the file.',
  ),
  history: s.described(
    s.listOf(foreignHistory, limits.importMonitorsMax),
    'The past of monitors, by their `origin`: UTC days and hours, and times in which they were down.',
  ),
})

/** The parts outside the lists, once they were validated. */
function headOf(body: ReadDocument) {
  const { organization, source, secretsOmitted, keptPingKeys, tagColors, untoldFields } = body
  return { organization, source, secretsOmitted, keptPingKeys, tagColors, untoldFields } as Pick<
    ImportedDocument,
    'organization' | 'source' | 'secretsOmitted' | 'keptPingKeys' | 'tagColors' | 'untoldFields'
  >
}

/** The item with the place that it has in the other product. */
function withOrigin(item: TObject): TObject {
  const origin = s.optional(
    sourceText(
      'What the item is in the other product, such as `monitor/12`: the same in each document of the ' +
        'installation, and no other item of the list has it.',
    ),
  )
  return { ...item, properties: { ...item.properties, origin } }
}

/** The page with those who are told of its news. */
function withSubscribers(item: TObject): TObject {
  return { ...item, properties: { ...item.properties, subscribers: carriedSubscribers } }
}

const head = {
  format: s.described(s.oneOf([documentFormat]), 'The form of the document.'),
  secretsOmitted: s.described(
    s.listOf(s.anyText, secretsOmittedMax),
    'The secrets that the document lacks, as JSON pointers (RFC 6901). An import pauses a monitor ' +
      'whose headers are among them, and switches a channel off whose secrets are.',
  ),
  maybeSecret: s.described(
    s.listOf(s.anyText, secretsOmittedMax),
    'What the document has and may hold secrets, as JSON pointers: bodies of requests, URLs with a ' +
      'query, and addresses of webhooks. Keep the document as you keep those. An import ignores it.',
  ),
  picturesOmitted: s.described(
    s.listOf(s.anyText, secretsOmittedMax),
    'Pictures of status pages that had no room in the document, as JSON pointers. An import ignores it.',
  ),
  windowsOmitted: s.described(
    s.listOf(
      s.object({
        name: s.text({ charsMax: limits.nameCharsMax, description: 'Its name.' }),
        reason: s.described(s.oneOf(windowOmissions), 'Why it is not among them.'),
      }),
      limits.quotaMax,
    ),
    'Maintenance windows that the document lacks, because they are over, or were only for monitors that were deleted. ' +
      'An import ignores it.',
  ),
}

function fileOf({ files }: ForeignExport, wanted: string | undefined): PlainAnswer {
  const found = wanted === undefined ? files[0] : files.find((one) => one.name === wanted)
  const { name, contentType, text: body } = required(found, 'the file of the format')
  const headers = [['Content-Disposition', `attachment; filename="${name}"`]] as const
  return { plain: true, status: 200, contentType, headers, body }
}

function documentOut(items: DocumentItems) {
  return s.object({
    ...head,
    organization: s.object({ name: s.anyText, ...organizationLocale }),
    tagColors,
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
function listIn(value: unknown): readonly object[] {
  // A longer list is refused: to read the rest of it would only cost time.
  return Array.isArray(value) ? (value as readonly object[]).slice(0, limits.importMonitorsMax) : []
}

function documentIn(items: Readonly<Record<ExportedName, { readonly in: TSchema }>>) {
  return s.object({
    ...head,
    secretsOmitted: s.optional(head.secretsOmitted),
    maybeSecret: s.optional(head.maybeSecret),
    picturesOmitted: s.optional(head.picturesOmitted),
    windowsOmitted: s.optional(head.windowsOmitted),
    organization: s.optional(
      s.object({
        name: s.text({ charsMax: limits.nameCharsMax, description: 'Its name.' }),
        language: s.optional(organizationLocale.language),
        timezone: s.optional(organizationLocale.timezone),
      }),
      'Where the document comes from. The organization that imports it keeps its own.',
    ),
    source: s.optional(
      foreignSource,
      'The product that the document comes from, and which installation of it; needed where items have an `origin`.',
    ),
    tagColors: s.optional(
      tagColors,
      'The colours of tags. Tags that have a colour in the organization keep it.',
    ),
    untoldFields: s.optional(
      untoldFields,
      'Fields of monitors that the document cannot tell. A monitor of a former import that lacks one keeps it as it is.',
    ),
    exportedAt: s.optional(timeIn, 'When the document was made.'),
    keptPingKeys: s.optional(
      s.listOf(
        s.text({
          charsMax: pingKeyCharsMax,
          pattern: pingKeyPattern,
          rule: 'must be 8 to 128 letters, digits, - or _',
        }),
        pingKeysMax,
      ),
      'Ping keys of Healthchecks: from then on, `/ping/<key>/<slug>?create=1` makes a push monitor.',
    ),
    ...recordOf(namesOf(items), (name) => {
      const most = Math.min(itemsMax(name), limits.importMonitorsMax)
      return s.optional(s.listOf(items[name].in, most), `The ${listTitle(name)} to create.`)
    }),
  })
}

// In the order of the document. Object.keys loses the type of the names.
function namesOf(items: object): readonly ExportedName[] {
  return Object.keys(items) as ExportedName[]
}

type DocumentOut = Static<ReturnType<typeof documentOut>>

function listTitle(name: ExportedName): string {
  return nouns[nounOfList(name)].title
}

function itemsMax(name: ExportedName): number {
  return nouns[nounOfList(name)].quota.max
}

export const planOut = s.listOf(
  s.object({
    list: s.oneOf(exportedNames),
    name: s.anyText,
    origin: s.nullable(s.anyText),
    action: s.oneOf(planActions),
    id: s.nullable(s.anyText, 'The object here; null: it was deleted.'),
    fields: s.described(
      s.listOf(s.anyText, importKeysMax),
      'The fields that changed there since the last import, and are changed here.',
    ),
    reason: s.optional(
      s.anyText,
      'Why it was left out (`leftOut`), or comes without something: its field and the rule.',
    ),
  }),
  importKeysMax,
)

const ImportedOut = s.object({
  ...recordOf(exportedNames, () => s.anyNumber),
  ids: s.mapOf(s.anyText, importKeysMax),
  paused: s.described(
    s.listOf(
      s.object({ id: s.idOf('monitor'), secrets: s.listOf(s.anyText, limits.headersMax) }),
      limits.importMonitorsMax,
    ),
    'Monitors that were active and are paused, because `secretsOmitted` names secrets that the ' +
      'document lacks: set them, then resume the monitors.',
  ),
  awaitingSecrets: s.described(
    s.listOf(
      s.object({
        id: s.idOf('channel'),
        name: s.anyText,
        secrets: s.listOf(s.anyText, limits.secretsOmittedOfItem),
      }),
      limits.importMonitorsMax,
    ),
    'Channels that are switched off, because `secretsOmitted` names secrets that the document ' +
      'lacks: set them in `config`, then set `isActive`.',
  ),
  awaitingValues: s.described(
    s.listOf(s.object({ id: s.idOf('secret'), name: s.anyText }), nouns.secrets.quota.max),
    'Secrets without a value, which no document has: set the `value` of each. Checks that are to send one ' +
      'end as `unknown` until then.',
  ),
  plan: s.described(
    planOut,
    'What is done with each item, in the order of the document. `create`: it is made. `change`: a former ' +
      'import made it, and it changed there. `keep`: it came as the last time, or was here already. ' +
      '`deletedHere`: it was deleted here, or all that it is for; it stays deleted unless `remakes` is set. ' +
      '`goneThere`: it stays here, and the document has it no more.',
  ),
  subscribers: s.described(
    s.object({
      ...subscribersImported,
      problems: s.described(
        s.listOf(s.object({ pointer: s.anyText, message: s.anyText }), limits.fieldProblemsMax),
        'Why some were left out, the first ones.',
      ),
    }),
    'What became of the `subscribers` that status pages carry.',
  ),
  importId: s.described(
    s.idOf('import'),
    'The record of the import, for `…/imports/{importId}`; that of a trial is not there.',
  ),
})

// The picked values fit the schemas of creation, because those schemas made the records.
function toWire(document: PortableDocument) {
  const { exportedAtMs = 0, ...rest } = document
  return { ...rest, exportedAt: s.toIso(exportedAtMs) } as unknown as DocumentOut
}
