// The API of bulk operations (create, change, delete many monitors) and trials.

import * as s from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import { countText } from '../../../base/sizes.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { MonitorFields } from '../../../domain/monitors/monitor-fields.ts'
import { exampleCertificate, exampleMonitor, exampleMonitorIds } from '../../openapi/examples.ts'
import { documented, eitherOf } from '../../routing/documented.ts'
import { del, patch, post, resource } from '../../routing/route.ts'
import { MonitorIn, ofPush, tag, withUrl } from './monitor-input-schemas.ts'
import { trialResultFields } from './monitor-schemas.ts'
import { trialToWire } from './monitor-wire.ts'
import { monitorBytesMax, runLimitWords } from './monitors.ts'

const member = { role: 'member' } as const

const manyMax = countText(limits.bulkMonitorsMax)

/** Existing tags can be named and removed, even if newer rules forbid them. */
const anyTag = s.text({ charsMin: 1, charsMax: limits.tagCharsMax })
const selector = {
  ids: s.optional(
    s.described(
      s.listOf(s.idOf('monitor'), limits.bulkMonitorsMax),
      'Selects monitors by id; each must exist. Give either ids or tag.',
    ),
  ),
  tag: s.optional(
    s.described(
      anyTag,
      `Selects all monitors with this tag, at most ${manyMax}. Give either ids or tag.`,
    ),
  ),
}
const byIdsOrTag = eitherOf('ids', 'tag')
const SelectorIn = documented(s.object(selector), byIdsOrTag)

const ChangeIn = documented(
  s.object({
    ...selector,
    isActive: s.optional(
      s.described(
        s.flag,
        'False pauses the monitors and closes their open incidents; true resumes them.',
      ),
    ),
    addTags: s.optional(
      s.described(
        s.listOf(tag, limits.tagsMax),
        `Tags to add to each monitor; none may end up with more than ${limits.tagsMax}.`,
      ),
    ),
    removeTags: s.optional(
      s.described(
        s.listOf(anyTag, limits.tagsMax),
        'Tags to remove from each monitor, before addTags are added.',
      ),
    ),
  }),
  {
    ...byIdsOrTag,
    anyOf: [
      { required: ['isActive'] },
      { required: ['addTags'], properties: { addTags: { minItems: 1 } } },
      { required: ['removeTags'], properties: { removeTags: { minItems: 1 } } },
    ],
  },
)

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

// A push monitor has nothing to check. In `allOf`, because `required` would replace that of
// MonitorIn.
const TrialIn = documented(MonitorIn, { anyOf: undefined, allOf: [withUrl, { not: ofPush }] })
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
        s.described(
          s.idOf('monitor'),
          'A stored monitor that is to be changed: headers sent as the mask have its values, where ' +
            'the url has the scheme, host and port of its own.',
        ),
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
    example: { tag: 'shop', isActive: false },
    body: ChangeIn,
    out: s.object({
      matched: s.described(s.anyNumber, 'Monitors matched by the selector.'),
      changed: s.described(s.anyNumber, 'Monitors that this request changed.'),
    }),
    message: 'Monitors updated',
    summary: 'Pause, resume or tag many monitors, selected by ids or by tag',
    description: inSlices('changes'),
  }).handledBy(({ scope, body }, { monitorBulk }) => monitorBulk.change(scope, body, body)),
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
