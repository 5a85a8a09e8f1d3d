// Whether ping monitors can use ICMP.
import type { PingProblem } from '../../../probes/ping/ping-command.ts'
import { type CheckFinding, fine, skipped, warning } from '../model/finding.ts'
import type { DoctorCheck, World } from '../model/world.ts'

export const pingCheck: DoctorCheck = {
  name: 'ping',
  async run(world) {
    const trouble = await world.network.pingProblem()
    if (trouble !== null) {
      return [warning('ICMP', `${words[trouble]}: ping monitors use TCP`, advice[trouble])]
    }
    const unit = await world.unit()
    return unit && world.own.uid === 0 ? [await ofUnit(world)] : [fine('ICMP', 'permitted')]
  },
}

const words: Readonly<Record<PingProblem, string>> = {
  missing: 'the program ping is missing',
  forbidden: 'ping is not permitted',
  slow: 'ping does not end',
  broken: 'ping is not understood',
  unstarted: 'ping cannot be started at present',
}

const permit =
  'Permit it: net.ipv4.ping_group_range with the group of the daemon (docs/install.md).'
const advice: Readonly<Record<PingProblem, string>> = {
  missing: 'Install it: apt install iputils-ping.',
  forbidden: permit,
  slow: 'Use the ping of iputils.',
  broken: 'Use the ping of iputils.',
  unstarted: 'Look at the memory and the limit of processes.',
}

/** root may ping; the user that systemd makes for the unit needs the drop-in of systemd/. */
async function ofUnit({ unit, files }: World): Promise<CheckFinding> {
  const filters = (await unit())?.all('SystemCallFilter') ?? []
  const isPermitted = filters.some((one) => /\bcapset\b/.test(one))
  const range = (await files.read('/proc/sys/net/ipv4/ping_group_range')) ?? '1 0'
  const [first = 1, last = 0] = range.trim().split(/\s+/).map(Number)
  // The users that systemd creates for DynamicUser=yes.
  const hasGroup = first <= 61_184 && last >= 65_519
  if (isPermitted && hasGroup) return fine('ICMP', 'permitted, also to the unit')
  return skipped(
    'ICMP',
    'permitted to root, but not to the unit: its ping monitors use TCP',
    'systemd/ping.conf says how to permit it.',
  )
}
