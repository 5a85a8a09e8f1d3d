// Makes records of imports with defaults, so that each test sets only what it is about.

import type { ImportId } from '../../src/base/ids.ts'
import { recordOf } from '../../src/base/nouns.ts'
import { type ImportRecord, planActions } from '../../src/domain/imports/import-record.ts'
import { orgA } from './make-incident.ts'

export function makeImport(fields: Partial<ImportRecord> = {}): ImportRecord {
  return {
    id: 'imp_01arz3ndektsv4rrffq69g5fav' as ImportId,
    orgId: orgA,
    atMs: 0,
    by: { kind: 'key', id: null, sessionId: null },
    source: null,
    counts: recordOf(planActions, () => 0),
    state: 'applied',
    undoneAtMs: null,
    pastIds: [],
    ...fields,
  }
}
