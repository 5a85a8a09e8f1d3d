// The frame of the console, in German.

import type { Words } from '../en/en.ts'
import { counted } from '../model/plural.ts'

const alertsWait = counted('# Alarm wartet', '# Alarme warten', 'de')
const failingChannels = counted(
  'auf einen Kanal, der nicht funktioniert',
  'auf # Kanäle, die nicht funktionieren',
  'de',
)

export const shell: Words['shell'] = {
  product: 'stillup',
  navigation: 'Hauptbereiche',
  skip: 'Zum Inhalt',
  places: {
    overview: 'Übersicht',
    incidents: 'Vorfälle',
    maintenance: 'Wartung',
    channels: 'Kanäle',
    pages: 'Statusseiten',
    people: 'Personen',
    system: 'System',
    profile: 'Profil',
  },
  troubles: {
    label: 'Kanäle, die Alarme nicht erreichen',
    channels: counted(
      '# Kanal, den Alarme nicht erreichen',
      '# Kanäle, die Alarme nicht erreichen',
      'de',
    ),
    waiting: (alerts, channels) => `${alertsWait(alerts)} ${failingChannels(channels)}:`,
    more: counted('und # weiterer', 'und # weitere', 'de'),
    nextTry: 'Nächster Versuch:',
    soon: 'jetzt',
  },
  organization: 'Organisation',
  moved: (name: string) => `Das gehört zu „${name}“. Der Tab zeigt jetzt diese Organisation.`,
  notMember: (name: string) =>
    `Der Link führt zu einer Organisation, in der Sie kein Mitglied sind. Der Tab zeigt „${name}“.`,
  menu: 'Menü',
  theme: { label: 'Darstellung', auto: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  language: 'Sprache',
  signOut: 'Abmelden',
  apiReference: 'API-Referenz',
  live: {
    connecting: 'Verbindet',
    live: 'Live',
    lost: 'Verbindung verloren. Neuer Versuch läuft.',
  },
  signIn: {
    title: 'Anmelden',
    expired:
      'Ihre Sitzung ist beendet. Melden Sie sich an und machen Sie weiter; nichts ist verloren.',
    confirm: 'Dafür wird Ihr Passwort noch einmal gebraucht.',
    confirmEither:
      'Dafür wird Ihr Passwort oder ein Code Ihres zweiten Faktors noch einmal gebraucht.',
    nowSignedIn: (email) => `Sie sind als ${email} angemeldet.`,
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    code: 'Code Ihres zweiten Faktors',
    codeNeeded: 'Geben Sie den Code Ihrer App oder einen Wiederherstellungscode ein',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch',
    wrongPassword: 'Das Passwort ist falsch',
    wrongCode: 'Der Code ist falsch oder wurde schon benutzt',
    submit: 'Anmelden',
    confirmSubmit: 'Bestätigen',
    otherWays: 'Andere Wege der Anmeldung',
  },
  palette: {
    title: 'Befehle',
    hint: 'Befehl oder Name eines Monitors',
    nothing: 'Nichts passt',
    newMonitor: 'Monitor hinzufügen',
    goTo: (place) => `Gehe zu ${place}`,
  },
  help: {
    title: 'Tastatur',
    keys: {
      palette: 'Befehle',
      search: 'Suchen',
      help: 'Diese Hilfe',
      down: 'Nächste Zeile',
      up: 'Vorige Zeile',
      open: 'Zeile öffnen',
      close: 'Schließen',
      run: 'Jetzt prüfen',
      silence: '1 h stumm',
      edit: 'Bearbeiten',
      clone: 'Duplizieren',
    },
    onMonitor: 'Auf der Seite eines Monitors',
  },
  notFound: { title: 'Diese Seite gibt es nicht', home: 'Zur Übersicht' },
  noOrganization: {
    title: 'Sie gehören noch zu keiner Organisation',
    about: 'Legen Sie eine an, oder öffnen Sie den Link einer Einladung.',
  },
  newOrganization: {
    open: 'Weitere Organisation anlegen',
    name: 'Name der Organisation',
    submit: 'Organisation anlegen',
    endsPrivate:
      'Solange dieser Dienst nur eine Organisation hat, bewahrt er auf, was fehlgeschlagene Ziele an privaten ' +
      'Adressen antworten: Kopfzeilen, Inhalte, Ausgaben. Mit einer zweiten endet das für beide. ' +
      'Gehören beide zu einer Firma, kann der Betreiber vorher checks.keepPrivateAnswers auf "always" setzen.',
  },
}
