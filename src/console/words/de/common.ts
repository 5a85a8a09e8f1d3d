// Words that every area uses, in German.
import type { Words } from '../en/en.ts'

export const common: Words['common'] = {
  states: {
    up: 'Erreichbar',
    degraded: 'Beeinträchtigt',
    down: 'Ausgefallen',
    pending: 'Ausstehend',
    unknown: 'Unbekannt',
    paused: 'Pausiert',
    maintenance: 'Wartung',
  },
  confirming: {
    chip: (failed, needed) => `Fehler ${failed} von ${needed}`,
    about: (failed, needed) =>
      `Fehlgeschlagene Prüfungen: ${failed}. Ab ${needed} gilt der Monitor als ausgefallen.`,
  },
  roles: { viewer: 'Betrachter', member: 'Mitglied', admin: 'Verwalter', owner: 'Inhaber' },
  actions: {
    save: 'Speichern',
    cancel: 'Abbrechen',
    close: 'Schließen',
    remove: 'Löschen',
    undo: 'Rückgängig',
    edit: 'Bearbeiten',
    copy: 'Kopieren',
    copied: 'Kopiert',
    retry: 'Erneut versuchen',
    more: 'Mehr anzeigen',
  },
  loading: 'Wird geladen',
  required: 'erforderlich',
  none: 'Keine',
  never: 'nie',
  problems: {
    unreachable: 'Der Dienst antwortet nicht.',
    kept: 'Ihre Eingaben sind noch hier.',
    requestId: (id) => `Anfrage ${id}`,
    rateLimited: (seconds) => `Zu viele Anfragen. Versuchen Sie es in ${seconds} s erneut.`,
    forbidden: 'Ihre Rolle erlaubt das nicht.',
    notFound: 'Das gibt es nicht, oder es wurde gelöscht.',
    changedElsewhere: 'Jemand anders hat dies inzwischen geändert.',
    checkFields: 'Einige Felder brauchen Ihre Aufmerksamkeit.',
  },
  conflict: {
    by: (who) => `${who} hat dies inzwischen geändert.`,
    fields: (names) => `Anders ist jetzt: ${names}.`,
    about:
      'Ihre Eingaben sind noch hier. Wenn Sie sie speichern, bleiben andere geänderte Felder erhalten.',
    takeTheirs: 'Die andere Fassung zeigen',
    keepMine: 'Meine darüber speichern',
    loaded: 'Sie sehen jetzt die andere Fassung.',
  },
  drafts: { restored: 'Ihre ungespeicherten Änderungen sind wieder da.' },
  reload: {
    notLoaded:
      'Dies ließ sich nicht laden. Wurde der Dienst aktualisiert, laden Sie die Seite neu.',
    failed:
      'Diese Seite ist fehlgeschlagen. Laden Sie sie neu; ungespeicherte Änderungen kommen zurück.',
    button: 'Neu laden',
  },
}
