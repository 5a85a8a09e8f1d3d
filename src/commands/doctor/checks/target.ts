// How long a public target takes from here, by IPv4 and by IPv6.
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import { msText } from '../model/words.ts'
import type { DoctorCheck, ExchangeResult, World } from '../model/world.ts'

export const targetCheck: DoctorCheck = {
  name: 'target',
  async run(world) {
    const [four, six] = await Promise.all([world.target(4), world.target(6)])
    const works = four.ok || six.ok
    return [byIpv4(world, four, works), byIpv6(world, six, works)]
  },
}

type ResponseOfTarget = Extract<ExchangeResult, { ok: true }>

function byIpv4(world: World, result: ExchangeResult, works: boolean): CheckFinding {
  const { host } = world.targetUrl
  if (result.ok) return timed('IPv4', host, result)
  const seen = `${host} does not answer: ${result.reason}`
  return works
    ? warning('IPv4', seen, 'Checks of targets with IPv4 only fail from here.')
    : problem('IPv4', seen, 'Look at the firewall and the route; --target URL tries another one.')
}

function byIpv6(world: World, result: ExchangeResult, works: boolean): CheckFinding {
  const { host } = world.targetUrl
  if (result.ok) return timed('IPv6', host, result)
  if (!world.own.hasPublicIpv6) {
    return skipped('IPv6', 'this machine has no public IPv6 address: such targets fail from here')
  }
  if (!works) return skipped('IPv6', `${host} does not answer either: ${result.reason}`)
  const advice = 'Repair the route for IPv6, or remove the address: targets with it seem to fail.'
  return warning('IPv6', `${host} does not answer: ${result.reason}`, advice)
}

const doctorSlowTargetMs = 1_500

function timed(subject: string, host: string, answer: ResponseOfTarget): CheckFinding {
  const { connectMs, tlsMs, firstByteMs, address } = answer
  const parts = [
    `connected after ${msText(connectMs)}`,
    ...(tlsMs === null ? [] : [`TLS ${msText(tlsMs)}`]),
    `first byte ${msText(firstByteMs)}`,
  ]
  const seen = `${host} (${address}): ${parts.join(', ')}`
  const sumMs = connectMs + (tlsMs ?? 0) + firstByteMs
  return sumMs > doctorSlowTargetMs
    ? warning(subject, seen, 'Every check from here is as slow: look at the network.')
    : fine(subject, seen)
}
