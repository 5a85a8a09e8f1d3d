// What the API takes and shows of locations and of the remote probes that stand there.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { locationStates, monitorsCountedMax } from '../../../services/locations/locations.ts'
import type { RemoteProbeView } from '../../../services/locations/remote-probes.ts'
import { withTimes } from '../../output/times.ts'

export const LocationIn = s.object({
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

export const LocationOut = s.revised({
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
  monitors: s.described(
    s.anyNumber,
    'How many monitors of the organization it checks; to the operator: of all. Counted up to ' +
      `${monitorsCountedMax}.`,
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
export const ProbeIn = s.object({ name: probeName })

export const RotationIn = s.object({
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
export const ProbeOut = s.revised(probeFields)
export const MintedProbeOut = s.revised({
  ...probeFields,
  token: s.described(s.anyText, 'The token itself, shown only now.'),
})

export const locationToWire = withTimes('createdAt', 'updatedAt')
const withProbeTimes = withTimes('createdAt', 'updatedAt', 'lastSeenAt', 'formerTokenUntil')

export function probeToWire<View extends RemoteProbeView>(view: View) {
  const state = view.isLive ? ('live' as const) : ('silent' as const)
  return { ...withProbeTimes(view), state }
}
