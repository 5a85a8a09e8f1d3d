// Whether each name server answers, how fast, and whether our own names lead here.
import { isIP } from 'node:net'
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import { msText } from '../model/words.ts'
import type { DoctorCheck, World } from '../model/world.ts'

export const dnsCheck: DoctorCheck = {
  name: 'dns',
  async run(world) {
    const found = await Promise.all([servers(world), ownNames(world)])
    return found.flat()
  },
}

/** c-ares codes with which a server has answered the question. */
const answers: ReadonlySet<string | null> = new Set([null, 'ENODATA', 'ENOTFOUND'])

const doctorNameServersMax = 5
const doctorSlowDnsMs = 500

async function servers(world: World): Promise<CheckFinding[]> {
  const all = world.network.nameServers()
  const advice = 'Correct dns.servers, or /etc/resolv.conf if that is not set.'
  if (all.length === 0) return [problem('name servers', 'none is configured', advice)]
  const asked = all.slice(0, doctorNameServersMax)
  const found = await Promise.all(asked.map((server) => oneServer(world, server)))
  // One that works is enough: names are still resolved, only later.
  const works = found.some(({ status }) => status !== 'problem')
  return found.map((one) =>
    one.status === 'problem' && works ? { ...one, status: 'warning' } : one,
  )
}

async function oneServer({ network }: World, server: string): Promise<CheckFinding> {
  const subject = `name server ${server}`
  const { tookMs, code } = await network.askServer(server, 'example.com')
  if (!answers.has(code)) {
    const seen = code === 'ETIMEOUT' ? 'does not answer' : `does not answer questions (${code})`
    return problem(subject, seen, 'Use another one: dns.servers, or /etc/resolv.conf.')
  }
  const seen = `answers in ${msText(tookMs)}`
  return tookMs > doctorSlowDnsMs
    ? warning(subject, seen, 'Every check of a new name waits for it: use one that is nearer.')
    : fine(subject, seen)
}

async function ownNames(world: World): Promise<CheckFinding[]> {
  const { baseUrl, statusDomain } = world.settings.http
  const found = [
    ...(baseUrl === null ? [] : [leadsHere(world, new URL(baseUrl), 'http.baseUrl')]),
    ...(statusDomain === null ? [] : [statusPages(world, statusDomain)]),
  ]
  return Promise.all(found)
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

async function leadsHere(world: World, url: URL, subject: string): Promise<CheckFinding> {
  const host = hostOf(url)
  const isAddress = isIP(host) !== 0
  const resolved = isAddress ? { addresses: [host] } : await world.network.resolve(host)
  if ('reason' in resolved) {
    const advice = `Create A and AAAA records of ${host} with the address of this machine.`
    return problem(subject, `${host} has no address: ${resolved.reason}`, advice)
  }
  const place = `${host} is ${resolved.addresses.slice(0, 3).join(', ')}`
  const view = await world.daemon()
  if (view.kind !== 'running') return skipped(subject, `${place}; no daemon to compare with`)
  const answer = await world.network.exchange(new URL('/.well-known/stillup.json', url))
  if (!answer.ok) {
    return warning(
      subject,
      `${place}, and does not answer from here: ${answer.reason}`,
      'Look at the proxy and the firewall. Some routers do not lead a machine back to itself.',
    )
  }
  const ours = view.report?.reportKeyIds
  const keys = keyIdsIn(answer)
  if (keys === undefined || (ours && !keys.some((id) => ours.includes(id)))) {
    const what = keys === undefined ? 'something that is not stillup' : 'another stillup'
    return warning(
      subject,
      `${place}, where ${what} answers`,
      'Let the name, or the proxy at it, lead to this daemon.',
    )
  }
  return fine(subject, `${place}, and leads here`)
}

/** The ids of the keys that the service publishes; undefined if it is none of ours. */
function keyIdsIn({ body }: { readonly body: string }): string[] | undefined {
  try {
    const { product, reportKeys } = JSON.parse(body) as Record<string, unknown>
    if (product !== 'stillup' || !Array.isArray(reportKeys)) return undefined
    return reportKeys.map((key: { keyId?: unknown }) => String(key.keyId))
  } catch {
    return undefined
  }
}

async function statusPages(world: World, domain: string): Promise<CheckFinding> {
  const name = `doctor.${domain}`
  const found = await world.network.resolve(name)
  return 'reason' in found
    ? problem(
        'http.statusDomain',
        `${name} has no address: ${found.reason}`,
        `Create a wildcard record *.${domain} with the address of this machine.`,
      )
    : fine('http.statusDomain', `*.${domain} is ${found.addresses.slice(0, 3).join(', ')}`)
}
