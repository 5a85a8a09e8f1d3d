// The person's own account, in German.
import type { Words } from '../en/en.ts'

export const profile: Words['profile'] = {
  title: 'Profil',
  account: 'Konto',
  name: 'Name',
  email: 'E-Mail-Adresse',
  saved: 'Gespeichert.',
  confirmEmail: (email) => `Öffnen Sie den Link, der an ${email} gesendet wurde.`,
  password: 'Passwort',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Das Passwort wurde geändert. Andere Sitzungen sind beendet.',
  sessions: 'Sitzungen',
  thisOne: 'diese',
  endSession: 'Beenden',
  sessionEnded: 'Die Sitzung ist beendet.',
  factor: {
    title: 'Zweiter Faktor',
    on: 'Die Anmeldung braucht einen Code Ihrer Authenticator-App.',
    off: 'Aus. Ein Passwort allein genügt zur Anmeldung.',
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    isOff: 'Der zweite Faktor ist aus.',
    scan: 'Scannen Sie dies mit Ihrer Authenticator-App und geben Sie dann ihren Code ein.',
    qr: 'QR-Code für die Authenticator-App',
    recovery: 'Wiederherstellungscodes',
    recoveryAbout: 'Jeder gilt einmal, falls Sie die App verlieren. Sie erscheinen nur jetzt.',
  },
}
