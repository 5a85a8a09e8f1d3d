// The API of imports that were done: what each did, and the past of its monitors.

import { exportedNames, recordOf } from '../../../base/nouns.ts'
import * as s from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import { verdictKinds } from '../../../domain/checks/verdict.ts'
import {
  type ImportRecord,
  importStates,
  planActions,
  undoActions,
} from '../../../domain/imports/import-record.ts'
import { firstOf, shadowLikelies, shadowLineKinds } from '../../../domain/imports/shadow-report.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ShownShadowLine } from '../../../services/orgs/imports/shadow-runs.ts'
import { timeIn } from '../../input/times.ts'
import { withTimes } from '../../output/times.ts'
import { get, list, patch, post, put, resource, wirePage } from '../../routing/route.ts'
import {
  foreignHistory,
  foreignSource,
  importKeysMax,
  originCharsMax,
  planOut,
} from './portability.ts'

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
  isShadow: s.described(
    s.flag,
    'Its monitors began in silence: `…/shadow` compares them with those of the other product.',
  ),
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

/** JSON of the most notes. */
const notesBytesMax = 4 * 1024 * 1024
const notesMax = limits.importNotesMax + 1

const noteFields = {
  name: s.nullable(s.anyText, 'The name of its item; null: it concerns all.'),
  origin: s.nullable(s.anyText, 'What the item is in the other product.'),
  text: s.described(s.anyText, 'What was not taken over, or in another way.'),
}

const NotesOut = s.listOf(
  s.object({ ...noteFields, isDone: s.described(s.flag, 'Somebody has dealt with it.') }),
  notesMax,
)

const NoteIn = s.object({
  name: s.nullable(
    s.text({ charsMax: limits.nameCharsMax }),
    'The name of its item; null: it concerns all.',
  ),
  origin: s.nullable(
    s.text({ charsMax: originCharsMax }),
    'What the item is in the other product.',
  ),
  text: s.text({
    charsMin: 1,
    charsMax: limits.importNoteCharsMax,
    description: 'What was not taken over, or in another way.',
  }),
})

const timed = withTimes('at', 'undoneAt')

const toWire = <Kept extends ImportRecord>(record: Kept) =>
  timed({ ...record, isShadow: record.shadow !== undefined })

/** Lines of the report of a shadow run in one answer. */
const shadowLinesMax = 200

const ShadowFilter = s.object({
  kind: s.optional(s.oneOf(shadowLineKinds), 'Only lines of this kind.'),
  monitorId: s.optional(s.idOf('monitor'), 'Only lines of this monitor.'),
  before: s.optional(
    timeIn,
    'Only what began before this time: the beginning of the last line of an answer with `more`.',
  ),
  limit: s.preset(s.integer(1, shadowLinesMax), shadowLinesMax, 'Lines in the answer.'),
})

const toldTimes = {
  from: s.described(s.isoTime, 'When it was told. Of ours: when the alert would have been sent.'),
  to: s.nullable(s.isoTime, 'When it was up again; null: it is still down.'),
}

const ShadowOut = s.object({
  since: s.isoTime,
  monitors: s.described(s.anyNumber, 'Monitors of which nobody hears.'),
  live: s.described(s.anyNumber, 'Monitors that went live since.'),
  counts: s.described(
    s.object(recordOf(shadowLineKinds, () => s.anyNumber)),
    'Lines of each kind in all. `both`: the two told of the same outage. `onlyTheirs`, `onlyOurs`: one of them did. ' +
      '`notCompared`: one of them did not look, or is not known.',
  ),
  reportUrl: s.nullable(
    s.anyText,
    'The address of a webhook, at which the other product may tell its alerts. It lets its holder add to this report, ' +
      'so only administrators see it: null for other members.',
  ),
  toldAt: s.nullable(s.isoTime, 'When it told one there last; null: it has not.'),
  lines: s.described(
    s.listOf(
      s.object({
        monitorId: s.idOf('monitor'),
        name: s.anyText,
        kind: s.oneOf(shadowLineKinds),
        theirs: s.nullable(s.object({ ...toldTimes, text: s.anyText })),
        ours: s.nullable(
          s.object({ incidentId: s.idOf('incident'), ...toldTimes, cause: s.anyText }),
        ),
        firstBy: s.nullable(
          s.oneOf(['theirs', 'ours']),
          'Who told first; null where only one did, and where theirs told before the shadow run began.',
        ),
        differenceSeconds: s.nullable(s.anyNumber, 'By how much.'),
        evidence: s.described(
          s.listOf(
            s.object({
              at: s.isoTime,
              status: s.oneOf(verdictKinds),
              reason: s.nullable(s.anyText),
              latencyMs: s.anyNumber,
            }),
            shadowLinesMax,
          ),
          'Our results around it, oldest first; the newest few.',
        ),
        likely: s.nullable(
          s.oneOf(shadowLikelies),
          'What the difference comes from, as far as it can be seen. `threshold`: our checks failed less often in a row ' +
            'than the monitor asks for. `between_checks`: it was over before our next one. `seen_good`: they were good. ' +
            '`paused`, `no_report`, `maintenance`, `own_network`, `not_running`: ours did not look. `not_heard`: nobody told us of ' +
            'theirs at that time. `held`: a monitor above was down. `slow`: ours tells of slow, too. `timeout`, ' +
            '`condition`, `certificate`: ours waits less long, asks more, examines the certificate. `short`: theirs may ' +
            'have tried again.',
        ),
      }),
      shadowLinesMax,
    ),
    'Newest first.',
  ),
  more: s.described(s.anyNumber, 'How many more there are of those that were asked for.'),
})

const lineToWire = (line: ShownShadowLine, sinceMs: number) => {
  const { monitorId, name, kind, theirs, ours, likely, evidence } = line
  const first = firstOf(line, sinceMs)
  return {
    ...{ monitorId, name, kind, likely },
    theirs: theirs && {
      from: s.toIso(theirs.fromMs),
      to: s.toIsoOrNull(theirs.toMs),
      text: theirs.text,
    },
    ours: ours && {
      incidentId: ours.incidentId,
      from: s.toIso(ours.fromMs),
      to: s.toIsoOrNull(ours.toMs),
      cause: ours.cause,
    },
    firstBy: first?.by ?? null,
    differenceSeconds: first && Math.round(first.differenceMs / 1_000),
    evidence: evidence.map(({ atMs, verdict, message, durationMs }) => ({
      at: s.toIso(atMs),
      status: verdict,
      reason: message ?? null,
      latencyMs: durationMs,
    })),
  }
}

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
      notes: s.described(NotesOut, 'What its conversion said, if somebody kept it.'),
    }),
  }).handledBy(async ({ scope, params }, { imports }) =>
    toWire(await imports.get(scope, params.importId)),
  ),
  keepNotes: put('/:importId/notes', {
    who: admin,
    summary: 'Keep what the conversion said of an import, in place of what is there',
    isOfMany: true,
    example: {
      notes: [{ name: 'Shop', origin: 'monitor/12', text: 'its proxy: the monitor is paused' }],
    },
    body: s.object({ notes: s.described(s.listOf(NoteIn, notesMax), 'In the order of the list.') }),
    bodyBytesMax: notesBytesMax,
    jsonKeysMax: importKeysMax,
    message: 'Notes kept',
  }).handledBy(({ scope, params, body }, { imports }) =>
    imports.keepNotes(scope, params.importId, body.notes),
  ),
  tickNotes: patch('/:importId/notes', {
    who: admin,
    summary: 'Say which notes of an import are dealt with',
    isOfMany: true,
    example: { places: [0, 3], isDone: true },
    body: s.object({
      places: s.described(
        s.listOf(s.integer(0, notesMax), notesMax),
        'Their places in the list; the first one is 0.',
      ),
      isDone: s.described(s.flag, 'Whether they are.'),
    }),
    out: s.object({ notes: NotesOut }),
  }).handledBy(({ scope, params, body }, { imports }) =>
    imports.tickNotes(scope, params.importId, body.places, body.isDone),
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
      'For a day. After that, and for an import that was undone: 409 `conflict`. What was changed since stays as it is; ' +
      'that the service switched a channel off is no change. Deletions are those of people: a monitor goes with its ' +
      'history. If it is interrupted, it may be asked for again.',
    rate: 'bulk',
    deadlineMs: limits.importMsMax,
    out: UndoOut,
    message: 'Import undone',
  }).handledBy(({ scope, params }, { imports }) => imports.undo(scope, params.importId)),
  shadow: get('/:importId/shadow', {
    who: { role: 'member' },
    summary:
      'What the monitors of a shadow run would have told, beside what the other product told',
    description:
      'What the other product told comes from its history, which `POST …/history` of this or a later import brings, and ' +
      'from its alerts to `reportUrl`. Two alerts are about the same outage if they are no further apart than the ' +
      'monitor takes to confirm one, or two minutes.',
    query: ShadowFilter,
    out: ShadowOut,
  }).handledBy(async ({ scope, params, query }, { shadowRuns }) => {
    const { kind, monitorId, before, limit } = query
    const beforeMs = before === undefined ? undefined : Date.parse(before)
    const filter = { kind, monitorId, beforeMs, limit }
    const report = await shadowRuns.report(scope, params.importId, filter)
    const { sinceMs, toldAtMs, lines, ...others } = report
    return {
      ...others,
      since: s.toIso(sinceMs),
      toldAt: s.toIsoOrNull(toldAtMs),
      lines: lines.map((line) => lineToWire(line, sinceMs)),
    }
  }),
  replaceAddress: post('/:importId/shadow/address', {
    who: admin,
    summary: 'Replace the address at which the other product tells its alerts',
    description: 'The one before answers 404 at once. What was told there stays in the report.',
    out: s.object({ reportUrl: s.described(s.anyText, 'The new address.') }),
    message: 'Address replaced',
  }).handledBy(({ scope, params }, { shadowRuns }) =>
    shadowRuns.replaceAddress(scope, params.importId),
  ),
  goLive: post('/:importId/go-live', {
    who: admin,
    summary: 'Let the monitors of a shadow run tell from now on',
    description:
      'All of the import, or some. Whatever is down at this moment is told at once, as a new alert; what is under ' +
      'maintenance at its end. Again it changes nothing.',
    rate: 'bulk',
    deadlineMs: limits.importMsMax,
    example: {},
    body: s.object({
      monitorIds: s.optional(
        s.listOf(s.idOf('monitor'), limits.importMonitorsMax),
        'Only these. Default: all.',
      ),
    }),
    out: s.object({
      live: s.described(s.anyNumber, 'Monitors that went live.'),
      toldNow: s.described(s.anyNumber, 'Those of them whose outage is told now.'),
    }),
    message: 'Monitors are live',
  }).handledBy(({ scope, params, body }, { shadowRuns }) =>
    shadowRuns.goLive(scope, params.importId, body.monitorIds),
  ),
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
