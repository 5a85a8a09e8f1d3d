// The API of locations and of the remote probes that stand there: schemas and routes.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { locationStates } from '../../../services/locations/locations.ts'
import type { RemoteProbeView } from '../../../services/locations/remote-probes.ts'
import { withTimes } from '../../output/times.ts'
import { del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'

const LocationIn = s.object({
  name: s.text({
    charsMax: limits.nameCharsMax,
    pattern: '\\S',
    rule: 'must not be blank',
    description: 'What people read of it. No two locations of an organization have the same.',
    example: 'Frankfurt',
  }),
  description: s.optionalOrNull(
    s.text({ charsMax: limits.descriptionCharsMax }),
    'What else is to be known of it.',
  ),
})

/** A location in an exported document, and in one that is imported. */
export const locationItem = {
  out: s.object({ id: s.idOf('location'), ...LocationIn.properties }),
  in: s.object({ id: s.optional(s.idInDocument('location')), ...LocationIn.properties }),
}

const LocationOut = s.revised({
  id: s.idOf('location'),
  name: s.anyText,
  description: s.nullable(s.anyText),
  isShared: s.described(s.flag, 'Whether the operator shares it with all organizations.'),
  state: s.described(
    s.oneOf(locationStates),
    '`live`: a probe is heard. `silent`: none of its probes is. `empty`: it has none.',
  ),
  probes: s.described(
    s.anyNumber,
    `How many probes stand there, at most ${limits.probesOfLocationMax}.`,
  ),
  ...s.revisionFields,
})

const probeName = s.text({
  charsMax: limits.nameCharsMax,
  pattern: '\\S',
  rule: 'must not be blank',
  description: 'What people read of it, such as the name of its machine.',
  example: 'fra-1',
})
const ProbeIn = s.object({ name: probeName })

const RotationIn = s.object({
  revokeNow: s.optional(
    s.flag,
    'True ends the old token at once. Absent: it works for another day.',
  ),
})

const probeFields = {
  id: s.idOf('probe'),
  name: s.anyText,
  state: s.described(s.oneOf(['live', 'silent']), 'Whether it is heard now.'),
  version: s.nullable(s.anyText, 'The version of its program; null until it was heard.'),
  lastSeenAt: s.nullable(s.isoTime, 'When it was heard last, at most a minute late.'),
  address: s.nullable(s.anyText, 'The address that it was heard from.'),
  load: s.nullable(
    s.object({
      checks: s.described(s.anyNumber, 'Checks since its session began.'),
      dropped: s.described(
        s.anyNumber,
        'Results that were dropped because the service could not be reached for long.',
      ),
      lateMs: s.described(
        s.anyNumber,
        'How late checks began in the last minute: 99 of 100 were less late.',
      ),
      monitors: s.described(s.anyNumber, 'How many monitors it checks.'),
    }),
    'How it is since its session began; null while it is silent.',
  ),
  formerTokenUntil: s.nullable(
    s.isoTime,
    'When the last of its replaced tokens ends; null if none works any more.',
  ),
  ...s.revisionFields,
}
const ProbeOut = s.revised(probeFields)
const MintedProbeOut = s.revised({
  ...probeFields,
  token: s.described(s.anyText, 'The token itself, shown only now.'),
})

const locationToWire = withTimes('createdAt', 'updatedAt')
const withProbeTimes = withTimes('createdAt', 'updatedAt', 'lastSeenAt', 'formerTokenUntil')

function probeToWire<View extends RemoteProbeView>(view: View) {
  const state = view.isLive ? ('live' as const) : ('silent' as const)
  return { ...withProbeTimes(view), state }
}

const viewer = { role: 'viewer' } as const
const admin = { role: 'admin' } as const
const recentAdmin = { role: 'admin', sessionOnly: true, sudo: true } as const

export const locations = resource('/orgs/:orgId/locations', {
  about:
    'Places that monitors are checked from besides the one where the service runs. A probe ' +
    '(`stillup probe`) stands at each, and calls the service; its token is shown once, and only it uses it.',
  create: post('/', {
    who: admin,
    summary: 'Create a location',
    example: { name: 'Frankfurt', description: 'Our own rack' },
    body: LocationIn,
    out: LocationOut,
    message: 'Location created',
  }).createdBy(
    ({ scope, body }, services) => services.locations.create(scope, body),
    locationToWire,
  ),
  list: list('/', {
    who: viewer,
    summary: 'Locations, newest first, also those that the operator shares',
    out: LocationOut,
  }).handledBy(({ scope, page }, services) =>
    wirePage(services.locations.list(scope, page), locationToWire),
  ),
  get: get('/:locationId', {
    who: viewer,
    summary: 'One location',
    out: LocationOut,
  }).handledBy(({ scope, params }, services) =>
    locationToWire(services.locations.get(scope, params.locationId)),
  ),
  change: patch('/:locationId', {
    who: admin,
    summary: 'Change a location',
    example: { description: 'Our own rack, second floor' },
    body: s.patchOf(LocationIn),
    out: LocationOut,
    message: 'Location updated',
  }).handledBy(async ({ scope, params, body, expectedRevision }, services) =>
    locationToWire(
      await services.locations.change(scope, params.locationId, body, expectedRevision),
    ),
  ),
  remove: del('/:locationId', {
    who: admin,
    summary: 'Delete a location with its probes',
    message: 'Location deleted',
  }).handledBy(({ scope, params, expectedRevision }, services) =>
    services.locations.remove(scope, params.locationId, expectedRevision),
  ),
  createProbe: post('/:locationId/probes', {
    who: recentAdmin,
    summary: 'Create a probe; its token is shown once',
    example: { name: 'fra-1' },
    body: ProbeIn,
    out: MintedProbeOut,
    message: 'Probe created',
  }).createdBy(
    ({ scope, params, body }, { locations }) =>
      locations.probes.create(scope, params.locationId, body),
    probeToWire,
  ),
  listProbes: list('/:locationId/probes', {
    who: viewer,
    summary: 'Probes of a location, newest first',
    out: ProbeOut,
  }).handledBy(({ scope, params, page }, { locations }) =>
    wirePage(locations.probes.list(scope, params.locationId, page), probeToWire),
  ),
  changeProbe: patch('/:locationId/probes/:probeId', {
    who: admin,
    summary: 'Rename a probe',
    example: { name: 'fra-2' },
    body: s.patchOf(ProbeIn),
    out: ProbeOut,
    message: 'Probe renamed',
  }).handledBy(async ({ scope, params, body, expectedRevision }, { locations }) => {
    const { locationId, probeId } = params
    return probeToWire(
      await locations.probes.rename(scope, locationId, probeId, body, expectedRevision),
    )
  }),
  rotateProbe: post('/:locationId/probes/:probeId/rotate', {
    who: recentAdmin,
    summary:
      'Replace the token of a probe; the old one works for another day unless revokeNow is set',
    example: { revokeNow: false },
    body: RotationIn,
    out: MintedProbeOut,
    message: 'Token replaced',
  }).createdBy(
    ({ scope, params, body }, { locations }) =>
      locations.probes.rotate(scope, params.locationId, params.probeId, body),
    probeToWire,
  ),
  removeProbe: del('/:locationId/probes/:probeId', {
    who: admin,
    summary: 'Delete a probe; its token ends at once',
    message: 'Probe deleted',
  }).handledBy(({ scope, params, expectedRevision }, { locations }) =>
    locations.probes.remove(scope, params.locationId, params.probeId, expectedRevision),
  ),
})
