// An organization in the forms of other products: its own document, written anew.
import { unreachable } from '../../../base/assert.ts'
import { createYielder } from '../../../base/yielding.ts'
import { csvTable } from '../../../domain/exports/csv-table.ts'
import { gatusFile } from '../../../domain/exports/gatus/gatus-file.ts'
import { kumaBackup } from '../../../domain/exports/kuma/kuma-backup.ts'
import type { ForeignExport, ForeignWriting } from '../../../domain/exports/outgoing.ts'
import { prometheusFilesOf } from '../../../domain/exports/prometheus.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import type { PortableDocument } from '../../portable.ts'

export const foreignFormats = ['gatus', 'kuma', 'csv', 'prometheus'] as const
export type ForeignFormat = (typeof foreignFormats)[number]

export interface ForeignExportsDeps {
  readonly export: (scope: OrgScope) => Promise<PortableDocument>
}

export function createForeignExports(
  { clock }: Pick<Core, 'clock'>,
  { export: exported }: ForeignExportsDeps,
) {
  return {
    /** The files of the format, without secrets, and notes on what it has no words for. Yields to other work. */
    async export(scope: OrgScope, format: ForeignFormat): Promise<ForeignExport> {
      const writing = writingOf(format, await exported(scope))
      const yielder = createYielder(clock, limits.turnMs)
      for (;;) {
        const { done, value } = writing.next()
        if (done) return value
        if (yielder.isDue()) await yielder.pause()
      }
    },
  }
}

function writingOf(format: ForeignFormat, document: PortableDocument): ForeignWriting {
  switch (format) {
    case 'gatus':
      return gatusFile(document)
    case 'kuma':
      return kumaBackup(document)
    case 'csv':
      return csvTable(document)
    case 'prometheus':
      return prometheusFilesOf(document)
    default:
      return unreachable(format)
  }
}
