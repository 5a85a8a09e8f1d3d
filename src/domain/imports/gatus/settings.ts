// Settings of Gatus as a whole that no document of an organization has.
import { type ForeignFields, fieldsOf, type Note } from '../foreign.ts'

/** What to do about each. */
const hints: Readonly<Record<string, string>> = {
  concurrency: 'checks do not wait for each other',
  connectivity: 'its check of the own network: one is made anyway',
  debug: 'the operator sets the log',
  'disable-monitoring-lock': 'checks do not wait for each other',
  metrics: 'the operator switches metrics on',
  remote: 'its remote instances: import the configuration of each',
  security: 'its sign-in: invite people, or let them sign in by your identity provider',
  'skip-invalid-config-update': 'what is refused changes nothing anyway',
  storage: 'its storage: results that it has are not read',
  tunneling: 'its tunnels: set up a probe behind each',
  web: 'its address, port and certificate: the operator sets those of stillup',
}

/** The parts of a configuration that come along. */
const parts = [
  'alerting',
  'announcements',
  'endpoints',
  'external-endpoints',
  'maintenance',
  'suites',
  'ui',
]

/** Whether it has anything that Gatus reads: it passes over all else. */
export function isConfiguration(document: unknown): boolean {
  return Object.keys(fieldsOf(document)).some(
    (key) => Object.hasOwn(hints, key) || parts.includes(key),
  )
}

export function noteSettings(config: ForeignFields, note: Note): void {
  for (const [setting, hint] of Object.entries(hints)) {
    const value = config[setting]
    if (value !== undefined && value !== null && value !== false) note(`${setting}: ${hint}`)
  }
}
