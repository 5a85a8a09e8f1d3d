// The simulation of other thresholds.
import { counted } from '../model/plural.ts'

const incidents = counted('# incident', '# incidents', 'en')
const alerts = counted('# alert', '# alerts', 'en')

export const simulate = {
  title: 'Simulate',
  about:
    'Replays what really happened with other thresholds. Nothing changes until you apply them.',
  open: 'Try other thresholds',
  days: counted('# day', '# days', 'en'),
  thresholds: {
    failureThreshold: 'Failed checks until it is down',
    recoveryThreshold: 'Good checks until it is up',
    degradedThresholdMs: 'Slow when slower than',
    degradedThreshold: 'Slow checks until it is degraded',
    degradedOpensIncident: 'Slowness opens an incident',
    graceSeconds: 'Grace time',
    reminderMinutes: 'First reminder after (0: none)',
  },
  valueToday: (value: string) => `Today: ${value}.`,
  apply: 'Apply these values',
  applied: 'The thresholds were changed.',
  reset: 'Back to those of today',
  noResults: 'There are no results in this time. Choose a longer one, or come back tomorrow.',
  today: 'Today',
  simulated: 'Simulated',
  strip: (count: number, down: string) => `${incidents(count)}, ${down} down`,
  summary: (after: number, alertsAfter: number, before: number, alertsBefore: number) =>
    `${incidents(after)} and ${alerts(alertsAfter)} with these thresholds; with those of today ${before} and ${alertsBefore}.`,
  lasted: 'Lasted',
  change: 'Change',
  changes: { same: 'as today', spared: 'spared', added: 'added' },
  alerts: 'Alerts',
  byChannel: 'Alerts by channel:',
  limits: 'What a simulation cannot know',
}
