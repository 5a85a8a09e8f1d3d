// Portability: exports an organization's configuration as one document, and imports it.
import { invalidField } from '../../base/fault.ts'
import { type Id, type IdKind, idPrefixes, type OrgId } from '../../base/ids.ts'
import {
  type ExportedName,
  type ExportedNoun,
  exportedNames,
  nounOfList,
  recordOf,
} from '../../base/nouns.ts'
import { nounCounts } from '../../store/nouns.ts'
import type { AuditedDeps } from '../audit/audit.ts'
import type { OrgScope } from '../context.ts'
import { createProblems } from '../monitors/part-problems.ts'
import {
  documentFormat,
  type ImportedDocument,
  type PausedImport,
  type Portable,
  type PortableDocument,
  type Portables,
  type References,
} from '../portable.ts'
import type { QuotaChecks } from '../quotas.ts'

export type ImportResult = Readonly<Record<ExportedName, number>> & {
  /** The new id of each thing that had one in the document. */
  readonly ids: Readonly<Record<string, string>>
  /** What the document has as active, and was paused because secrets are missing. */
  readonly paused: readonly PausedImport[]
}

export interface PortabilityDeps extends AuditedDeps {
  readonly quotas: QuotaChecks
  /** In the order of the document. */
  readonly portables: Partial<Portables>
  readonly mustBeApproved: (orgId: OrgId) => void
}

interface Part {
  readonly name: ExportedName
  readonly noun: ExportedNoun
  readonly portable: Portable
}

interface PreparedPart extends Part {
  readonly items: readonly unknown[]
}

export type Portability = ReturnType<typeof createPortability>

export function createPortability(deps: PortabilityDeps) {
  const { store, clock, audit, quotas } = deps
  const parts = partsOf(deps.portables)

  function mustHaveRoom(orgId: OrgId, lists: readonly Pick<PreparedPart, 'noun' | 'items'>[]) {
    deps.mustBeApproved(orgId)
    for (const { noun, items } of lists) {
      quotas.mustHaveRoom(orgId, noun, nounCounts[noun](store, orgId), items.length)
    }
  }

  /** Validates every item like a creation. Throws one Fault with all problems found. */
  async function prepare(orgId: OrgId, document: ImportedDocument, references: References) {
    const problems = createProblems(clock)
    const prepared: PreparedPart[] = []
    for (const part of parts) {
      const { name, portable } = part
      const items = await problems.ofMany(`/${name}`, document[name] ?? [], (item) =>
        portable.prepare(item, orgId, references),
      )
      prepared.push({ ...part, items })
    }
    problems.throwAny()
    return prepared
  }

  return {
    /** Everything except secrets, which the document lists. Yields to other work. */
    async export(scope: OrgScope): Promise<PortableDocument> {
      const { orgId } = scope
      const lists = new Map<ExportedName, readonly object[]>()
      const secretsOmitted: string[] = []
      for (const { name, portable } of parts) {
        const exported = await portable.export(orgId)
        lists.set(
          name,
          exported.map(({ item }) => item),
        )
        for (const [index, { secrets }] of exported.entries()) {
          for (const secret of secrets) secretsOmitted.push(`/${name}/${index}${secret}`)
        }
      }
      await store.write((tx) =>
        audit.note(tx, scope, { action: 'organization.exported', objectId: null }),
      )
      return {
        format: documentFormat,
        organization: { name: store.orgs.get(orgId)?.name ?? '' },
        exportedAtMs: clock.nowMs(),
        secretsOmitted,
        ...recordOf(exportedNames, (name) => lists.get(name) ?? []),
      }
    },

    /**
     * Creates everything, in addition to existing objects, or nothing. Throws, with pointers into
     * the document, validation_failed, target_not_allowed, slug_taken, subdomain_taken, conflict
     * (quota).
     */
    async import(scope: OrgScope, document: ImportedDocument): Promise<ImportResult> {
      const { orgId } = scope
      const asked = parts.map(({ name, noun }) => ({ noun, items: document[name] ?? [] }))
      // A document that exceeds the quota in any case is not examined further.
      const most = quotas.of(orgId)
      if (asked.some(({ noun, items }) => items.length > most[noun])) mustHaveRoom(orgId, asked)
      const { ids, paused, ...references } = createReferences(document)
      const prepared = await prepare(orgId, document, references)
      const imported = await store.write((tx): ImportResult => {
        mustHaveRoom(orgId, prepared)
        for (const { name, portable, items } of prepared) {
          portable.put(tx, orgId, items, `/${name}`)
        }
        const detail = prepared.map(({ noun, items }) => `${noun} ${items.length}`).join(', ')
        audit.note(tx, scope, { action: 'organization.imported', objectId: null, detail })
        return {
          ...recordOf(exportedNames, (name) => document[name]?.length ?? 0),
          ids: Object.fromEntries(ids),
          paused,
        }
      })
      for (const { portable, items } of prepared) await portable.start?.(items)
      return imported
    },
  }
}

function partsOf(portables: Partial<Portables>): readonly Part[] {
  // Object.entries loses the type of the names.
  const entries = Object.entries(portables) as [ExportedName, Portable][]
  return entries.map(([name, portable]) => ({ name, noun: nounOfList(name), portable }))
}

interface Imported extends References {
  readonly ids: ReadonlyMap<string, string>
  readonly paused: readonly PausedImport[]
}

function createReferences(document: ImportedDocument): Imported {
  const ids = new Map<string, string>()
  const paused: PausedImport[] = []
  const omitted = omittedSecrets(document)
  return {
    ids,
    paused,
    omittedFrom: (item) => omitted.get(item) ?? [],
    notePaused: (one) => void paused.push(one),
    note(id, record) {
      if (id === undefined) return record
      if (ids.has(id)) throw invalidField('/id', 'uniqueItems', 'is in the document twice')
      ids.set(id, record.id)
      return record
    },
    referred: (kind, named, pointer) =>
      named.map((id, index) => {
        const found = ids.get(id)
        if (found !== undefined && isOfKind(kind, found)) return found
        throw invalidField(`${pointer}/${index}`, 'reference', 'is not in the document')
      }),
  }
}

/** By item. A pointer to anything else is ignored: people edit documents. */
function omittedSecrets(document: ImportedDocument): ReadonlyMap<object, readonly string[]> {
  const found = new Map<object, string[]>()
  for (const pointer of document.secretsOmitted ?? []) {
    const [, name = '', index = '', ...rest] = pointer.split('/')
    const item = exportedNames.some((one) => one === name)
      ? document[name as ExportedName]?.[Number(index)]
      : undefined
    if (item) found.set(item, [...(found.get(item) ?? []), `/${rest.join('/')}`])
  }
  return found
}

function isOfKind<Kind extends IdKind>(kind: Kind, id: string): id is Id<Kind> {
  return id.startsWith(`${idPrefixes[kind]}_`)
}
