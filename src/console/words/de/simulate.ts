// The simulation of other thresholds, in German.

import type { Words } from '../en/en.ts'
import { counted } from '../model/plural.ts'

const incidents = counted('# Vorfall', '# Vorfälle', 'de')
const alerts = counted('# Alarm', '# Alarme', 'de')

export const simulate: Words['simulate'] = {
  title: 'Simulieren',
  about:
    'Spielt das Geschehene mit anderen Schwellen nach. Es ändert sich nichts, bis Sie sie übernehmen.',
  open: 'Andere Schwellen ausprobieren',
  days: counted('# Tag', '# Tage', 'de'),
  thresholds: {
    failureThreshold: 'Fehlgeschlagene Prüfungen bis zum Ausfall',
    recoveryThreshold: 'Gute Prüfungen bis zur Erholung',
    degradedThresholdMs: 'Langsam ab',
    degradedThreshold: 'Langsame Prüfungen bis „beeinträchtigt“',
    degradedOpensIncident: 'Langsamkeit öffnet einen Vorfall',
    graceSeconds: 'Nachfrist',
    reminderMinutes: 'Erste Erinnerung nach (0: keine)',
  },
  valueToday: (value) => `Heute: ${value}.`,
  apply: 'Diese Werte übernehmen',
  applied: 'Die Schwellen wurden geändert.',
  reset: 'Zurück zu den heutigen',
  noResults: 'In dieser Zeit gibt es keine Ergebnisse. Wählen Sie eine längere.',
  today: 'Heute',
  simulated: 'Simuliert',
  strip: (count, down) => `${incidents(count)}, ${down} ausgefallen`,
  summary: (after, alertsAfter, before, alertsBefore) =>
    `${incidents(after)} und ${alerts(alertsAfter)} mit diesen Schwellen; mit den heutigen ${before} und ${alertsBefore}.`,
  lasted: 'Dauer',
  change: 'Änderung',
  changes: { same: 'wie heute', spared: 'entfällt', added: 'neu' },
  alerts: 'Alarme',
  byChannel: 'Alarme je Kanal:',
  limits: 'Was eine Simulation nicht wissen kann',
}
