// An installation of another product is known again, also when one of the marks that tell it from others has changed.
import { type ForeignSource, isSameInstallation } from '../../../domain/imports/foreign.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import { importsKeptMax } from './import-records.ts'

/** The document, with its source as the newest import from the same installation called it. */
export function withKnownSource<Document extends { readonly source?: ForeignSource | undefined }>(
  { store }: Pick<Core, 'store'>,
  { orgId }: Pick<OrgScope, 'orgId'>,
  document: Document,
): Document {
  const given = document.source
  if (given === undefined) return document
  const known = store.imports
    .list(orgId, importsKeptMax)
    .find(({ source }) => source !== null && isSameInstallation(source, given))
  return known?.source ? { ...document, source: known.source } : document
}
