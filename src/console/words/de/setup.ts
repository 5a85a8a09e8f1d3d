// The first run, in German.
import type { Words } from '../en/en.ts'

export const setup: Words['setup'] = {
  title: 'Willkommen bei stillup',
  steps: {
    account: 'Konto',
    monitor: 'Monitor',
    channel: 'Benachrichtigung',
    page: 'Statusseite',
  },
  next: 'Weiter',
  skip: 'Überspringen',
  account: {
    title: 'Ihr Konto',
    about: 'Ihm gehört eine Organisation, und es verwaltet diesen Dienst.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    organization: 'Name Ihrer Organisation',
    token: 'Einrichtungstoken',
    tokenHelp: 'Der Dienst zeigt ihn beim Start an.',
    submit: 'Konto anlegen',
  },
  monitor: {
    title: 'Was soll überwacht werden?',
    about:
      'Eine Seite, ein Server, ein Port: die Adresse genügt. Sie wird geprüft, bevor sie gespeichert wird.',
    address: 'Adresse',
    submit: 'Ausprobieren',
    checked: 'Die erste Prüfung',
    correct:
      'Korrigieren Sie die Adresse und versuchen Sie es erneut, oder fahren Sie fort, wenn es so sein soll.',
    usePlain: 'Stattdessen http:// verwenden',
    anyway: 'Trotzdem überwachen',
  },
  channel: {
    title: 'Wer soll es erfahren?',
    about: 'Weitere Kanäle lassen sich später hinzufügen.',
    type: 'Weg',
    made: 'Der Kanal ist bereit. Kommt ein Test an?',
    failed: 'Der Kanal funktioniert noch nicht',
    works: 'Der Kanal funktioniert',
  },
  page: {
    title: 'Zeigen Sie es anderen',
    about:
      'Eine öffentliche Seite mit dem Zustand dessen, was Sie überwachen. Adressen erscheinen nie.',
    name: 'Name der Seite',
    publicNameHelp: 'Ihn sehen andere anstelle der Adresse.',
    submit: 'Seite anlegen',
  },
  doneTitle: 'stillup wacht.',
  doneAbout: 'Ein Ausfall wird durch wiederholte Prüfungen bestätigt, bevor es jemand erfährt.',
  toOverview: 'Zur Übersicht',
  toPage: 'Zur Statusseite',
}
