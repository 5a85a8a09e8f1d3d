// Letters to subscribers in English, German and Dutch.
import type { SubscriberWords } from './subscriber-words.ts'

export const en: SubscriberWords = {
  news: {
    opened: 'Incident',
    updated: 'Update',
    resolved: 'Resolved',
    scheduled: 'Maintenance planned',
    changed: 'Maintenance changed',
    cancelled: 'Maintenance cancelled',
    begun: 'Maintenance has begun',
    ended: 'Maintenance completed',
  },
  andMore: (title, more) => `${title} (and ${more} more)`,
  status: 'Status',
  viewIncident: 'View the incident',
  viewPage: 'View the status page',
  change: 'Change the subscription',
  openInstead: 'Or open this address',
  why: (page) => `You get this because you subscribed to ${page}.`,
  confirm: {
    subject: (page) => `Confirm your subscription to ${page}`,
    about: (page) =>
      `Somebody, hopefully you, asked to be told of incidents and maintenance of ${page} here.`,
    button: 'Confirm the subscription',
    footer: 'The link works for 24 hours. If you did not ask, ignore this: nothing more will come.',
  },
  already: {
    subject: (page) => `Your subscription to ${page}`,
    about: (page) =>
      `Somebody, hopefully you, asked to subscribe to ${page} here. You are subscribed already.`,
  },
  allSections: 'All services',
  noneForAll: 'Choose none to be told of all services.',
  save: 'Save',
  saved: 'Saved.',
  secret: 'Messages are signed (Standard Webhooks) with this secret',
  checkMessage: 'Please open the link in the message that we have just sent there.',
  goTo: 'To the status page',
}

export const de: SubscriberWords = {
  news: {
    opened: 'Störung',
    updated: 'Neuigkeit',
    resolved: 'Behoben',
    scheduled: 'Wartung geplant',
    changed: 'Wartung geändert',
    cancelled: 'Wartung abgesagt',
    begun: 'Wartung hat begonnen',
    ended: 'Wartung abgeschlossen',
  },
  andMore: (title, more) => `${title} (und ${more} weitere)`,
  status: 'Stand',
  viewIncident: 'Störung ansehen',
  viewPage: 'Statusseite ansehen',
  change: 'Abonnement ändern',
  openInstead: 'Oder öffnen Sie diese Adresse',
  why: (page) => `Sie erhalten diese Nachricht, weil Sie ${page} abonniert haben.`,
  confirm: {
    subject: (page) => `Bestätigen Sie Ihr Abonnement von ${page}`,
    about: (page) =>
      `Jemand, hoffentlich Sie, möchte hier von Störungen und Wartungen von ${page} erfahren.`,
    button: 'Abonnement bestätigen',
    footer:
      'Der Link gilt 24 Stunden. Wenn Sie das nicht waren, tun Sie nichts: Es kommt nichts weiter.',
  },
  already: {
    subject: (page) => `Ihr Abonnement von ${page}`,
    about: (page) =>
      `Jemand, hoffentlich Sie, wollte ${page} hier abonnieren. Das Abonnement besteht schon.`,
  },
  allSections: 'Alle Dienste',
  noneForAll: 'Wählen Sie nichts, um von allen Diensten zu erfahren.',
  save: 'Speichern',
  saved: 'Gespeichert.',
  secret: 'Nachrichten sind mit diesem Geheimnis signiert (Standard Webhooks)',
  checkMessage:
    'Bitte öffnen Sie den Link in der Nachricht, die wir gerade dorthin gesendet haben.',
  goTo: 'Zur Statusseite',
}

export const nl: SubscriberWords = {
  news: {
    opened: 'Storing',
    updated: 'Update',
    resolved: 'Opgelost',
    scheduled: 'Onderhoud gepland',
    changed: 'Onderhoud gewijzigd',
    cancelled: 'Onderhoud geannuleerd',
    begun: 'Onderhoud is begonnen',
    ended: 'Onderhoud afgerond',
  },
  andMore: (title, more) => `${title} (en nog ${more})`,
  status: 'Status',
  viewIncident: 'Storing bekijken',
  viewPage: 'Statuspagina bekijken',
  change: 'Abonnement wijzigen',
  openInstead: 'Of open dit adres',
  why: (page) => `U ontvangt dit omdat u op ${page} bent geabonneerd.`,
  confirm: {
    subject: (page) => `Bevestig uw abonnement op ${page}`,
    about: (page) => `Iemand, hopelijk u, wil hier horen van storingen en onderhoud van ${page}.`,
    button: 'Abonnement bevestigen',
    footer: 'De link werkt 24 uur. Was u dit niet, doe dan niets: er volgt niets meer.',
  },
  already: {
    subject: (page) => `Uw abonnement op ${page}`,
    about: (page) =>
      `Iemand, hopelijk u, wilde zich hier op ${page} abonneren. U bent al geabonneerd.`,
  },
  allSections: 'Alle diensten',
  noneForAll: 'Kies niets om over alle diensten te horen.',
  save: 'Opslaan',
  saved: 'Opgeslagen.',
  secret: 'Berichten zijn met dit geheim ondertekend (Standard Webhooks)',
  checkMessage: 'Open de link in het bericht dat we daar zojuist naartoe hebben gestuurd.',
  goTo: 'Naar de statuspagina',
}
