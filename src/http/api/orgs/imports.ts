// The API of imports that were done: what each did, and the past of its monitors.

import { exportedNames, recordOf } from '../../../base/nouns.ts'
import * as s from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import { importStates, planActions, undoActions } from '../../../domain/imports/import-record.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { withTimes } from '../../output/times.ts'
import { get, list, post, resource, wirePage } from '../../routing/route.ts'
import { foreignHistory, foreignSource, importKeysMax, planOut } from './portability.ts'

const PastIn = s.object({
  history: s.described(
    s.listOf(foreignHistory, limits.importMonitorsMax),
    'The past of monitors, or a part of it.',
  ),
})

/** What is wrong with the past that the command line sends. */
export const pastProblems = createCheck(PastIn, limits.fieldProblemsMax)

const ImportOut = s.object({
  id: s.idOf('import'),
  at: s.isoTime,
  by: s.object({ kind: s.anyText, id: s.nullable(s.anyText) }),
  source: s.nullable(foreignSource, 'Where the document comes from; null: it does not say.'),
  counts: s.described(
    s.object(recordOf(planActions, () => s.anyNumber)),
    'With how many items each was done: see the `plan` of an import.',
  ),
  state: s.oneOf(importStates),
  undoneAt: s.nullable(s.isoTime),
})

const UndoOut = s.object({
  plan: s.described(
    s.listOf(
      s.object({
        list: s.oneOf(exportedNames),
        name: s.anyText,
        id: s.anyText,
        action: s.oneOf(undoActions),
      }),
      importKeysMax,
    ),
    '`delete`: the import made it. `restore`: it is as before the import. `changedSince`: it was changed after the ' +
      'import, or cannot be as before, and stays. `inUse`: something else needs it, and it stays. `gone`: it was deleted.',
  ),
})

const toWire = withTimes('at', 'undoneAt')

const admin = { role: 'admin' } as const

export const imports = resource('/orgs/:orgId/imports', {
  about: 'What was imported, by whom and from where; the newest ones of a year.',
  list: list('/', {
    who: admin,
    summary: 'Imports, newest first',
    out: ImportOut,
  }).handledBy(({ scope, page }, { imports }) => wirePage(imports.list(scope, page), toWire)),
  get: get('/:importId', {
    who: admin,
    summary: 'One import, with what it did',
    out: s.object({
      ...ImportOut.properties,
      plan: s.described(planOut, 'As in its answer, without what it left alone (`keep`).'),
    }),
  }).handledBy(async ({ scope, params }, { imports }) =>
    toWire(await imports.get(scope, params.importId)),
  ),
  tryUndo: post('/:importId/undo/trial', {
    who: admin,
    summary: 'Say what an undo would do, without doing it',
    out: UndoOut,
  }).handledBy(({ scope, params }, { imports }) => imports.tryUndo(scope, params.importId)),
  undo: post('/:importId/undo', {
    who: admin,
    summary: 'Delete what an import made, and put back what it changed',
    description:
      'For a day. What was changed since stays as it is. Deletions are those of people: a monitor goes with its ' +
      'history. If it is interrupted, it may be asked for again.',
    rate: 'bulk',
    deadlineMs: limits.importMsMax,
    out: UndoOut,
    message: 'Import undone',
  }).handledBy(({ scope, params }, { imports }) => imports.undo(scope, params.importId)),
  takePast: post('/:importId/history', {
    who: admin,
    summary: 'Bring the past of monitors that the import made or knows',
    description:
      'Days, hours and outages from before a monitor was here, in one or several requests: as ' +
      '`POST …/import/convert` answers them. What is there already stays, so a part may come again. Outages ' +
      'become closed incidents; nobody is alerted, and subscribers hear nothing.',
    rate: 'bulk',
    example: {
      history: [
        {
          origin: 'monitor/12',
          days: [
            {
              startMs: 1_774_742_400_000,
              upMs: 86_280_000,
              downMs: 120_000,
              maintenanceMs: 0,
              checks: 1_440,
              failures: 2,
              latencyMs: { mean: 120, min: 80, max: 900 },
            },
          ],
          hours: [],
          outages: [{ fromMs: 1_774_760_000_000, toMs: 1_774_760_120_000, text: 'timeout' }],
        },
      ],
    },
    body: PastIn,
    bodyBytesMax: limits.importBytesMax,
    jsonKeysMax: importKeysMax,
    deadlineMs: limits.importMsMax,
    out: s.object({
      monitors: s.described(s.anyNumber, 'Whose past was taken.'),
      days: s.described(s.anyNumber, 'Days that were not there.'),
      hours: s.anyNumber,
      incidents: s.anyNumber,
      unknown: s.described(
        s.listOf(s.anyText, limits.importMonitorsMax),
        'Origins of which the organization has no monitor.',
      ),
    }),
  }).handledBy(({ scope, params, body }, { imports }) =>
    imports.takePast(scope, params.importId, body.history),
  ),
})
