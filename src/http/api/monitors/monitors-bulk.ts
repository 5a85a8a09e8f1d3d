// The API of bulk operations (create, change, delete many monitors) and trials.

import type { TSchema } from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import { countText } from '../../../base/sizes.ts'
import { limits } from '../../../domain/limits/limits.ts'
import {
  type BulkChange,
  type BulkUndo,
  bulkRefusalsMax,
  bulkUndoMax,
  ownFields,
} from '../../../domain/monitors/bulk-change.ts'
import { type MonitorFields, secretFields } from '../../../domain/monitors/monitor-fields.ts'
import type { ChangeOptions, MonitorSelector } from '../../../services/monitors/monitor-bulk.ts'
import { exampleCertificate, exampleMonitor, exampleMonitorIds } from '../../openapi/examples.ts'
import { documented, eitherOf } from '../../routing/documented.ts'
import { answer, del, patch, post, resource } from '../../routing/route.ts'
import { MonitorIn, shownSettings, tag, withUrl } from './monitor-input-schemas.ts'
import { trialResultFields } from './monitor-schemas.ts'
import { trialToWire } from './monitor-wire.ts'
import { monitorBytesMax, runLimitWords } from './monitors.ts'

const member = { role: 'member' } as const

const manyMax = countText(limits.bulkMonitorsMax)

/** Existing tags can be named and removed, even if newer rules forbid them. */
const anyTag = s.text({ charsMin: 1, charsMax: limits.tagCharsMax })
const selector = {
  ids: s.optional(
    s.listOf(s.idOf('monitor'), limits.bulkMonitorsMax),
    'Selects monitors by id; each must exist. Give either ids or tag.',
  ),
  tag: s.optional(
    anyTag,
    `Selects all monitors with this tag, at most ${manyMax}. Give either ids or tag.`,
  ),
}
const byIdsOrTag = eitherOf('ids', 'tag')
const SelectorIn = documented(s.object(selector), byIdsOrTag)

/** What is added and removed, and whether they are paused, beside the fields that are set. */
const listChanges = {
  isActive: s.optional(
    s.flag,
    'False pauses the monitors and closes their open incidents; true resumes them.',
  ),
  addTags: s.optional(
    s.listOf(tag, limits.tagsMax),
    `Tags to add to each monitor; none may end up with more than ${limits.tagsMax}.`,
  ),
  removeTags: s.optional(
    s.listOf(anyTag, limits.tagsMax),
    'Tags to remove from each monitor, before addTags are added.',
  ),
  addChannelIds: s.optional(
    s.listOf(s.idOf('channel'), limits.notifyChannelsMax),
    'Channels to add to notifyChannelIds of each monitor; none may end up with more than ' +
      `${limits.notifyChannelsMax}. A monitor that used the default channels then uses these alone.`,
  ),
  removeChannelIds: s.optional(
    s.listOf(s.idOf('channel'), limits.notifyChannelsMax),
    'Channels to remove from notifyChannelIds of each monitor, before addChannelIds are added. ' +
      'A monitor that is left without any uses the default channels.',
  ),
}

const isOwnField = (name: string) => (ownFields as readonly string[]).includes(name)

/** The fields of a single change that many monitors may share. */
const sharedFields = Object.entries(MonitorIn.properties).filter(
  ([name]) => !isOwnField(name) && name !== 'isActive',
)
const patchOfShared = s.patchFields(s.object(Object.fromEntries(sharedFields)))
const selectorFields = Object.keys(selector)
const optionFields = ['dryRun', 'skipRefused', 'withUndo']

const ChangeIn = documented(
  s.asType<ManyChange>(
    s.object({
      ...selector,
      ...listChanges,
      ...patchOfShared,
      dryRun: s.optional(
        s.flag,
        'True: nothing is written. The answer says what would change, and what would be refused.',
      ),
      skipRefused: s.optional(
        s.flag,
        'True: monitors that the change does not suit stay as they are, and the others change. ' +
          'Otherwise one of them refuses the request.',
      ),
      withUndo: s.optional(s.flag, 'True: the answer has `undo`, the changes that lead back.'),
    }),
  ),
  {
    ...byIdsOrTag,
    anyOf: [
      { required: ['isActive'] },
      ...Object.keys(listChanges)
        .filter((name) => name !== 'isActive')
        .map((name) => ({ required: [name], properties: { [name]: { minItems: 1 } } })),
      ...Object.keys(patchOfShared).map((name) => ({ required: [name] })),
    ],
  },
)

/** A shape whose fields many monitors share; `fieldsIn` takes it apart. */
interface ManyChange extends MonitorSelector, Omit<BulkChange, 'fields'>, ChangeOptions {}

function fieldsIn(body: ManyChange): MonitorFields {
  const others = new Set([...selectorFields, ...Object.keys(listChanges), ...optionFields])
  return Object.fromEntries(Object.entries(body).filter(([name]) => !others.has(name)))
}

const shownFields: Readonly<Record<string, TSchema>> = shownSettings()

const UndoOut = s.asType<Omit<BulkUndo, 'fields'>>(
  s.object({
    ids: s.listOf(s.idOf('monitor'), limits.bulkMonitorsMax),
    ...listChanges,
    ...Object.fromEntries(
      sharedFields.flatMap(([name]) => {
        const shown = shownFields[name]
        return shown && !secretFields.has(name) ? [[name, s.optional(shown)]] : []
      }),
    ),
  }),
)

const ChangedOut = s.object({
  matched: s.described(s.anyNumber, 'Monitors matched by the selector.'),
  changed: s.described(s.anyNumber, 'Monitors that this request changed, or with `dryRun` would.'),
  unchanged: s.described(s.anyNumber, 'Monitors that are already like this.'),
  refused: s.described(
    s.anyNumber,
    'Monitors that the change does not suit; they stay as they are. With `ids`, also ids that name no ' +
      'monitor of the organization.',
  ),
  refusals: s.described(
    s.listOf(
      s.object({
        pointer: s.described(s.anyText, 'The field.'),
        keyword: s.anyText,
        message: s.described(s.anyText, 'The rule.'),
        ids: s.listOf(s.idOf('monitor'), limits.bulkMonitorsMax),
      }),
      bulkRefusalsMax,
    ),
    'The rules that refused some of them, the most frequent first.',
  ),
  undo: s.optionalOrNull(
    s.listOf(UndoOut, bulkUndoMax),
    'After a change with `withUndo`: bodies of this request, each of which gives some of the monitors their former ' +
      `values. Null if that takes more than ${bulkUndoMax}, or if headers or bodies were changed.`,
  ),
})

const ManyIn = s.object({
  monitors: s.described(
    s.listOf(MonitorIn, limits.bulkMonitorsMax),
    'Each like a single new monitor, with the same defaults.',
  ),
})
/** Accepts any entries: each is validated by itself, so that problems keep their order. */
const ManyShape = s.object({ monitors: s.listOf(s.anything, limits.bulkMonitorsMax) })
const problemsOfOne = createCheck(MonitorIn, limits.fieldProblemsMax)
const ManyOut = s.object({
  created: s.anyNumber,
  ids: s.described(
    s.listOf(s.idOf('monitor'), limits.bulkMonitorsMax),
    'The ids of the new monitors, in the order of the request.',
  ),
})

// A monitor without a target has nothing to check: the service refuses each. In `allOf`, because `required`
// would replace that of MonitorIn.
const ofPush = { required: ['checkType'], properties: { checkType: { const: 'push' } } }
const TrialIn = documented(MonitorIn, {
  anyOf: undefined,
  allOf: [withUrl, { not: ofPush }],
})
const TrialOut = s.object(trialResultFields)

const bulkBytesMax = 16 * 1024 * 1024
const bulkKeysMax = 1_000_000
const bulkMsMax = 60_000

/** The bounds of bodies with many entries. */
const large = {
  rate: 'bulk',
  bodyBytesMax: bulkBytesMax,
  jsonKeysMax: bulkKeysMax,
  deadlineMs: bulkMsMax,
} as const

const inSlices = (what: string) =>
  `If one of them is refused, nothing ${what}. Then they follow in several transactions: if the service ` +
  'is stopped meanwhile, the rest stays as it was.'

const exampleApi = {
  name: 'Shop: API answers with stock',
  url: 'https://api.example.com/v1/stock?limit=1',
  checkType: 'endpoint',
  headers: { Authorization: 'Bearer example-token' },
  responseFormat: 'json',
  assertions: [
    { source: 'json', path: '$.items[0].id', type: 'exists' },
    { source: 'responseTime', type: 'lessThan', value: '800' },
  ],
  intervalMinutes: 5,
}

export const monitorsBulk = resource('/orgs/:orgId/monitors', {
  test: post('/test', {
    who: member,
    query: s.object({
      monitorId: s.optional(
        s.idOf('monitor'),
        'A stored monitor that is to be changed: headers sent as the mask have its values, where ' +
          'the url has the scheme, host and port of its own.',
      ),
    }),
    example: exampleApi,
    body: TrialIn,
    bodyBytesMax: monitorBytesMax,
    out: TrialOut,
    message: 'Check completed',
    deadlineMs: limits.timeoutMsMax + 10_000,
    summary: 'Check the target of a monitor once without storing anything',
    description: `For all kinds except push. ${runLimitWords}`,
  }).handledBy(async ({ scope, body, query, signal }, { trials }) =>
    trialToWire(await trials.run(scope, { fields: body as MonitorFields, ...query }, signal)),
  ),
  createMany: post('/bulk', {
    ...large,
    who: member,
    example: { monitors: [exampleMonitor, exampleCertificate, exampleApi] },
    body: ManyIn,
    bodyShape: ManyShape,
    out: ManyOut,
    message: 'Monitors created',
    summary: `Create up to ${manyMax} monitors, or none if one of them is refused`,
    description:
      'The first checks are spread over the intervals. If the quota of the organization has no room ' +
      'for all of them: `conflict`.',
  }).createdBy(
    ({ scope, body, signal }, { monitorBulk }) => {
      const monitors = body.monitors as readonly MonitorFields[]
      return monitorBulk.create(scope, monitors, { signal, problemsOfOne })
    },
    (ids) => ({ created: ids.length, ids }),
  ),
  changeMany: patch('/', {
    ...large,
    who: member,
    isOfMany: true,
    example: { tag: 'shop', intervalMinutes: 1, addTags: ['checkout'], dryRun: true },
    body: ChangeIn,
    out: ChangedOut,
    message: 'Monitors updated',
    summary: 'Change many monitors, selected by ids or by tag',
    description:
      `${inSlices('changes')} Takes the fields of a single change, except ${ownFields.join(', ')}. ` +
      'A list such as `tags` is set first, then what is removed, then what is added. A monitor is ' +
      'changed whole or not at all.',
  }).handledBy(async ({ scope, body }, { monitorBulk }) => {
    const change = { ...body, fields: fieldsIn(body) }
    const outcome = await monitorBulk.change(scope, body, change, body)
    const undo = outcome.undo?.map(({ fields, ...rest }) => Object.assign({}, fields, rest))
    const shown = { ...outcome, undo: outcome.undo === null ? null : undo }
    return body.dryRun ? answer(shown, { message: 'Nothing was changed' }) : shown
  }),
  checkMany: post('/check', {
    ...large,
    who: member,
    example: { tag: 'shop' },
    body: SelectorIn,
    out: s.object({
      matched: s.described(s.anyNumber, 'Monitors matched by the selector.'),
      started: s.described(s.anyNumber, 'Checks that this request started, or joined.'),
      paused: s.described(s.anyNumber, 'Monitors that are paused, which are not checked.'),
      reporting: s.described(
        s.anyNumber,
        'Monitors that wait for reports (push), which are not checked.',
      ),
      limited: s.described(s.anyNumber, 'Monitors that the limits of manual checks left out.'),
    }),
    message: 'Checks started',
    summary: 'Check many monitors now, selected by ids or by tag',
    description:
      'Does not wait for the results, which are those of any check. ' +
      `${runLimitWords} That is answered if no check could start.`,
  }).handledBy(({ scope, body }, { monitorBulk }) => monitorBulk.check(scope, body)),
  removeMany: del('/', {
    ...large,
    who: member,
    isOfMany: true,
    example: { ids: exampleMonitorIds },
    body: SelectorIn,
    out: s.object({ deleted: s.anyNumber }),
    message: 'Monitors deleted',
    summary: 'Delete many monitors, selected by ids or by tag',
    description: inSlices('is deleted'),
  }).handledBy(async ({ scope, body }, { monitorBulk }) => ({
    deleted: await monitorBulk.remove(scope, body),
  })),
})
