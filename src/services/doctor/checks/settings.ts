// Whether the settings are valid, and fit to each other where a start accepts them all the same.
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import type { DoctorCheck, World } from '../model/world.ts'

export const settingsCheck: DoctorCheck = {
  name: 'settings',
  async run(world) {
    return [...judged(world), ...baseUrl(world)]
  },
}

function judged(world: World): CheckFinding[] {
  const { settingsProblems, settingsWarnings, settingsSource } = world
  const from = settingsSource ?? 'no file; defaults and variables'
  if (settingsProblems.length > 0) {
    const advice = 'Correct it; the other checks take the default in its place.'
    return settingsProblems.map(({ path, source, found, allowed }) =>
      problem(path, `found ${found}; allowed: ${allowed} (${source})`, advice),
    )
  }
  return [
    fine('validity', `valid (${from})`),
    ...settingsWarnings.map((words) =>
      warning('advice', words, 'stillup check-config --defaults explains every setting.'),
    ),
  ]
}

const local = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

function baseUrl({ settings: { http } }: World): CheckFinding[] {
  const isForOthers = !local.test(http.listen.host) || http.trustedProxies.length > 0
  if (http.baseUrl === null) {
    if (!isForOthers) return [skipped('http.baseUrl', 'not set; only this machine can connect')]
    return [
      warning(
        'http.baseUrl',
        'not set, so links in letters and alerts are a guess',
        'Set http.baseUrl to the address that people use.',
      ),
    ]
  }
  const { protocol, hostname } = new URL(http.baseUrl)
  if (protocol === 'http:') {
    if (local.test(hostname.replace(/^\[|\]$/g, ''))) return [fine('http.baseUrl', http.baseUrl)]
    return [
      warning(
        'http.baseUrl',
        `${http.baseUrl} is without TLS: passwords and keys can be read on the way`,
        'Put a reverse proxy with TLS in front, or set http.tlsListen, and use https.',
      ),
    ]
  }
  if (http.tlsListen === null && http.trustedProxies.length === 0) {
    return [
      warning(
        'http.trustedProxies',
        'empty, but http.baseUrl is https and http.tlsListen is not set, so there is a proxy',
        'Name the proxy in http.trustedProxies; else all callers share its address and its limits.',
      ),
    ]
  }
  return [fine('http.baseUrl', http.baseUrl)]
}
