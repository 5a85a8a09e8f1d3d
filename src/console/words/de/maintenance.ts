// Planned work, in German.

import type { Words } from '../en/en.ts'
import { counted } from '../model/plural.ts'

export const maintenance: Words['maintenance'] = {
  title: 'Wartung',
  silence: {
    button: '1 h stumm',
    about: 'Prüfungen laufen weiter, aber eine Stunde lang wird niemand benachrichtigt',
    name: (monitor: string) => `${monitor}: stumm`,
    done: 'Eine Stunde lang stumm.',
    undone: 'Nicht mehr stumm.',
  },
  add: 'Wartung planen',
  change: 'Wartung ändern',
  calendar: 'Die nächsten fünf Wochen',
  empty: {
    title: 'Nichts ist geplant',
    about:
      'Während geplanter Arbeiten laufen Prüfungen weiter, aber niemand wird benachrichtigt und die Verfügbarkeit zählt nicht.',
  },
  states: { active: 'Jetzt', scheduled: 'Geplant', ended: 'Vorbei' },
  public: 'öffentlich',
  everything: 'Alle Monitore',
  end: 'Jetzt beenden',
  endedNow: 'Sie ist beendet.',
  extend: '30 Minuten länger',
  extended: 'Sie dauert 30 Minuten länger.',
  cancelNext: 'Nächste auslassen',
  cancelled: 'Die nächste wird ausgelassen.',
  deleteTitle: (name) => `${name} löschen?`,
  deleteAbout: 'Falls sie läuft, zählen Prüfungen sofort wieder und benachrichtigen.',
  deleted: (name) => `${name} wurde gelöscht.`,
  name: 'Name',
  recurring: 'Sie wiederholt sich',
  cron: 'Zeitplan (Cron)',
  cronHelp: 'Minute, Stunde, Tag, Monat, Wochentag: 0 3 * * 0 ist Sonntag um 3 Uhr.',
  duration: 'Dauert',
  timezone: 'Zeitzone',
  from: 'Von',
  to: 'Bis',
  monitors: 'Monitore',
  tags: 'Schlagwörter',
  zones: {
    own: (zone) => `Diese Zeiten gelten in ${zone}, Ihrer Zeitzone.`,
    organization: (zone, from, to) =>
      `In ${zone}, der Zeitzone der Organisation: ${from} bis ${to}.`,
    scheduleOwn: (zone) => `Der Zeitplan gilt in ${zone}, Ihrer Zeitzone.`,
    schedule: (zone, there, own, here) =>
      `Der Zeitplan gilt in ${zone}: dort ist es jetzt ${there}. In Ihrer Zeitzone, ${own}, ist es ${here}.`,
  },
  scope: {
    which: 'Welche Monitore',
    kinds: {
      monitors: 'Ausgewählte Monitore',
      tags: 'Monitore mit Schlagwörtern',
      both: 'Ausgewählte Monitore und Monitore mit Schlagwörtern',
      all: 'Alle Monitore',
    },
    tagsHelp:
      'Etwa shop, datenbank. Monitore, die später eines dieser Schlagwörter bekommen, zählen mit.',
    covers: counted('Gilt jetzt für # Monitor', 'Gilt jetzt für # Monitore', 'de'),
    coversNone: 'Gilt jetzt für keinen Monitor.',
    more: counted('und # weiterer', 'und # weitere', 'de'),
    allAbout: 'Monitore, die später dazukommen, zählen mit.',
    question: {
      title: counted('# Monitor stummschalten?', 'Alle # Monitore stummschalten?', 'de'),
      about:
        'Während der Wartung wird für keinen Monitor der Organisation ein Vorfall eröffnet oder eine Benachrichtigung gesendet.',
      button: 'Alle Monitore stummschalten',
    },
  },
  description: 'Beschreibung',
  isPublic: 'Auf Statusseiten zeigen',
}
