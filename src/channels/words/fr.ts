// Messages in French.
import { pluralOf } from './plural.ts'
import type { Words } from './words.ts'

const someDays = pluralOf('fr', { one: '# jour', other: '# jours' })
const days = (count: number) => (count === 0 ? 'moins d’un jour' : someDays(count))

export const fr: Words = {
  isDown: (name) => `${name} est en panne`,
  isSlow: (name) => `${name} répond lentement`,
  wasDown: (name) => `${name} était en panne`,
  wasSlow: (name) => `${name} répondait lentement`,
  reopened: (title) => `Rouvert : ${title}`,
  resolved: (title) => `Résolu : ${title}`,
  closedByHand: (title) => `Clos manuellement : ${title}`,
  acknowledged: (title) => `Pris en charge : ${title}`,
  reminder: (title) => `Rappel : ${title}`,
  updated: (title) => `Mise à jour : ${title}`,
  incidentsOpened: pluralOf('fr', { one: '# incident ouvert', other: '# incidents ouverts' }),
  incidentsResolved: pluralOf('fr', { one: '# incident résolu', other: '# incidents résolus' }),
  certificateExpires: (name, left) => `Le certificat de ${name} expire dans ${days(left)}`,
  domainExpires: (domain, left) => `Le domaine ${domain} expire dans ${days(left)}`,
  channelFails: (channel) => `Les alertes ne peuvent pas être remises à ${channel}`,
  channelWorks: (channel) => `Les alertes sont de nouveau remises à ${channel}`,
  test: (channel) => `Essai de ${channel}`,
  labels: {
    cause: 'Cause',
    details: 'Détails',
    monitors: 'Moniteurs',
    started: 'Début',
    reopened: 'Rouvert',
    lasted: 'Durée',
    lasting: 'Durée jusqu’ici',
    acknowledged: 'Pris en charge',
    resolved: 'Résolu',
    closed: 'Clos',
    update: 'Mise à jour',
    message: 'Message',
    note: 'Remarque',
    delayed: 'Retard de l’envoi',
    moreIncidents: 'Autres incidents',
    monitor: 'Moniteur',
    validUntil: 'Valable jusqu’au',
    issuer: 'Émetteur',
    registrar: 'Bureau d’enregistrement',
    channel: 'Canal',
    failingSince: 'En échec depuis',
    waiting: 'Messages en attente',
  },
  statuses: {
    investigating: 'En cours d’analyse',
    identified: 'Cause identifiée',
    monitoring: 'Sous surveillance',
    resolved: 'Résolu',
  },
  states: {
    open: 'ouvert',
    acknowledged: 'pris en charge',
    resolved: 'résolu',
    stillFailing: 'clos manuellement, toujours en panne',
  },
  links: {
    incident: 'Voir l’incident',
    acknowledge: 'Voir et prendre en charge',
    runbook: 'Procédure d’intervention',
    target: 'Ouvrir l’adresse',
  },
  letter: {
    why: (channel) =>
      `Vous recevez ce message parce que le canal d’alerte « ${channel} » contient votre adresse.`,
    openInstead: 'Ou ouvrez cette adresse',
    unsubscribe: 'Ne plus recevoir ces messages',
  },
  more: pluralOf('fr', { one: '# autre', other: '# autres' }),
  flapping: 'Instable : le moniteur tombe en panne et se rétablit sans cesse.',
  becameOutage: 'Devenu une panne.',
  stillFailing: 'Le service est toujours en panne. Si cela continue, l’incident sera rouvert.',
  testBody: 'Ce canal fonctionne. Les alertes de vos moniteurs arrivent ici.',
}
