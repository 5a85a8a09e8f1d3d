// An installation of another product is known again, also when one of the marks that tell it from others has changed,
// and by what its monitors are where a document has no mark.
import { isRecord } from '../../../base/schema/pick.ts'
import {
  type ForeignSource,
  isSameInstallation,
  isUnmarked,
} from '../../../domain/imports/foreign.ts'
import type { FieldHash } from '../../../seal/tokens.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import type { ImportedDocument } from '../../portable.ts'
import { hashedText } from './former-items.ts'
import { importsKeptMax } from './import-records.ts'

type Sourced = Pick<ImportedDocument, 'source' | 'monitors'>

/** The document, with its source as the newest import from the same installation called it. */
export function withKnownSource<Document extends Sourced>(
  { store }: Pick<Core, 'store'>,
  hashOf: FieldHash,
  { orgId }: Pick<OrgScope, 'orgId'>,
  document: Document,
): Document {
  const given = document.source
  if (given === undefined) return document

  /**
   * Whether the monitors with the origin of a known one are what that was. Push tokens decide, which are made at
   * random; without any, nearly all of the monitors must be.
   */
  function hasItsMonitors(source: ForeignSource): boolean {
    const tokens = { alike: 0, other: 0 }
    const all = { alike: 0, other: 0 }
    for (const monitor of someOf(document.monitors ?? [])) {
      if (!isRecord(monitor) || typeof monitor.origin !== 'string') continue
      const place = { orgId, source, list: 'monitors', origin: monitor.origin } as const
      const former = store.importOrigins.get(place)
      if (!former) continue
      const isAs = (field: string, value = monitor[field]) =>
        former.fields[field] === hashOf(hashedText(field, value))
      const isAlike = telling.every((field) => monitor[field] === undefined || isAs(field))
      all[isAlike ? 'alike' : 'other'] += 1
      // One whose address another monitor has came without it.
      const { keptAddresses: kept } = monitor
      if (!Array.isArray(kept) || kept.length === 0 || isAs('keptAddresses', [])) continue
      tokens[isAs('keptAddresses') ? 'alike' : 'other'] += 1
    }
    if (tokens.alike + tokens.other > 0) return tokens.alike > tokens.other
    return all.alike > nearlyAll * all.other
  }

  /** Where origins are made of UUIDs, one that is known says it, whatever a document calls the installation. */
  function hasItsOrigins(source: ForeignSource): boolean {
    if (source.product !== given?.product || !origins.has(source.product)) return false
    return someOf(document.monitors ?? []).some((monitor) => {
      if (!isRecord(monitor) || typeof monitor.origin !== 'string') return false
      const place = { orgId, source, list: 'monitors', origin: monitor.origin } as const
      return store.importOrigins.get(place) !== undefined
    })
  }

  const records = store.imports.list(orgId, importsKeptMax)
  const named = records.flatMap(({ source }) =>
    source ? [[`${source.product} ${source.installation}`, source] as const] : [],
  )
  // The newest import of each is the first one.
  const sources = [...new Map(named.toReversed()).values()].toReversed()
  const known =
    sources.find(hasItsOrigins) ??
    sources.find((source) => isSameInstallation(source, given)) ??
    sources.find((source) => {
      const mayBe = source.product === given.product && (isUnmarked(source) || isUnmarked(given))
      return mayBe && hasItsMonitors(source)
    })
  if (!known) return document
  const marks = isUnmarked(known) && !isUnmarked(given) ? { marks: given.installation } : {}
  return { ...document, source: { ...known, ...marks } }
}

/** Products whose origins are the same nowhere else. */
const origins: ReadonlySet<string> = new Set(['healthchecks'])
/** What tells a monitor from those that another installation has under the same number. */
const telling = ['name', 'checkType', 'url']
/** So many are alike to one that is not. */
const nearlyAll = 3
/** Monitors that are looked at: a few say it, and there may be thousands. */
const lookedAtMax = 200

function someOf(monitors: readonly object[]): readonly object[] {
  const step = Math.ceil(monitors.length / lookedAtMax)
  return monitors.filter((_, index) => index % step === 0)
}
