// Messages in German.
import { pluralOf } from './plural.ts'
import type { Words } from './words.ts'

const someDays = pluralOf('de', { one: '# Tag', other: '# Tagen' })
const days = (count: number) => (count === 0 ? 'weniger als einem Tag' : someDays(count))

export const de: Words = {
  isDown: (name) => `${name} ist ausgefallen`,
  isSlow: (name) => `${name} ist langsam`,
  wasDown: (name) => `${name} war ausgefallen`,
  wasSlow: (name) => `${name} war langsam`,
  reopened: (title) => `Wieder geöffnet: ${title}`,
  resolved: (title) => `Behoben: ${title}`,
  closedByHand: (title) => `Von Hand geschlossen: ${title}`,
  acknowledged: (title) => `Übernommen: ${title}`,
  reminder: (title) => `Erinnerung: ${title}`,
  updated: (title) => `Neuer Stand: ${title}`,
  incidentsOpened: pluralOf('de', { one: '# neuer Vorfall', other: '# neue Vorfälle' }),
  incidentsResolved: pluralOf('de', { one: '# Vorfall behoben', other: '# Vorfälle behoben' }),
  certificateExpires: (name, left) => `Das Zertifikat von ${name} läuft in ${days(left)} ab`,
  domainExpires: (domain, left) => `Die Domain ${domain} läuft in ${days(left)} ab`,
  channelFails: (channel) => `Warnungen können nicht an ${channel} zugestellt werden`,
  channelWorks: (channel) => `Warnungen werden wieder an ${channel} zugestellt`,
  test: (channel) => `Test von ${channel}`,
  labels: {
    cause: 'Ursache',
    details: 'Einzelheiten',
    monitors: 'Monitore',
    started: 'Beginn',
    reopened: 'Wieder geöffnet',
    lasted: 'Dauer',
    lasting: 'Dauer bisher',
    acknowledged: 'Übernommen',
    resolved: 'Behoben',
    closed: 'Geschlossen',
    update: 'Neuer Stand',
    message: 'Nachricht',
    note: 'Hinweis',
    delayed: 'Verzögerung der Nachricht',
    moreIncidents: 'Weitere Vorfälle',
    monitor: 'Monitor',
    validUntil: 'Gültig bis',
    issuer: 'Aussteller',
    registrar: 'Registrar',
    channel: 'Kanal',
    failingSince: 'Gestört seit',
    waiting: 'Wartende Nachrichten',
  },
  statuses: {
    investigating: 'Wird untersucht',
    identified: 'Ursache gefunden',
    monitoring: 'Wird beobachtet',
    resolved: 'Behoben',
  },
  states: {
    open: 'offen',
    acknowledged: 'übernommen',
    resolved: 'behoben',
    stillFailing: 'von Hand geschlossen, weiter gestört',
  },
  links: {
    incident: 'Vorfall ansehen',
    acknowledge: 'Ansehen und übernehmen',
    runbook: 'Runbook',
    target: 'Adresse öffnen',
  },
  letter: {
    why: (channel) =>
      `Sie erhalten diese E-Mail, weil der Kanal „${channel}“ Ihre Adresse enthält.`,
    openInstead: 'Oder öffnen Sie diese Adresse',
    unsubscribe: 'Diese E-Mails abbestellen',
  },
  more: (count) => `${count} weitere`,
  flapping: 'Instabil: Der Monitor fällt immer wieder aus und erholt sich.',
  becameOutage: 'Zum Ausfall geworden.',
  stillFailing: 'Der Dienst ist weiter gestört. Bleibt das so, öffnet sich der Vorfall wieder.',
  testBody: 'Dieser Kanal funktioniert. Warnungen Ihrer Monitore kommen hier an.',
}
