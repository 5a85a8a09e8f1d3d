// Messages in Dutch.
import { pluralOf } from './plural.ts'
import type { Words } from './words.ts'

const someDays = pluralOf('nl', { one: '# dag', other: '# dagen' })
const days = (count: number) => (count === 0 ? 'minder dan een dag' : someDays(count))

export const nl: Words = {
  isDown: (name) => `${name} is uitgevallen`,
  isSlow: (name) => `${name} is traag`,
  wasDown: (name) => `${name} was uitgevallen`,
  wasSlow: (name) => `${name} was traag`,
  reopened: (title) => `Heropend: ${title}`,
  resolved: (title) => `Opgelost: ${title}`,
  closedByHand: (title) => `Handmatig gesloten: ${title}`,
  acknowledged: (title) => `Bevestigd: ${title}`,
  reminder: (title) => `Herinnering: ${title}`,
  updated: (title) => `Nieuws: ${title}`,
  incidentsOpened: pluralOf('nl', { one: '# nieuw incident', other: '# nieuwe incidenten' }),
  incidentsResolved: pluralOf('nl', {
    one: '# incident opgelost',
    other: '# incidenten opgelost',
  }),
  certificateExpires: (name, left) => `Het certificaat van ${name} verloopt over ${days(left)}`,
  domainExpires: (domain, left) => `Het domein ${domain} verloopt over ${days(left)}`,
  channelFails: (channel) => `Meldingen kunnen niet worden afgeleverd bij ${channel}`,
  channelWorks: (channel) => `Meldingen worden weer afgeleverd bij ${channel}`,
  test: (channel) => `Test van ${channel}`,
  labels: {
    cause: 'Oorzaak',
    details: 'Bijzonderheden',
    monitors: 'Monitoren',
    started: 'Begonnen',
    reopened: 'Heropend',
    lasted: 'Duur',
    lasting: 'Duur tot nu toe',
    acknowledged: 'Bevestigd',
    resolved: 'Opgelost',
    closed: 'Gesloten',
    update: 'Nieuws',
    message: 'Bericht',
    note: 'Opmerking',
    delayed: 'Vertraging van het bericht',
    moreIncidents: 'Meer incidenten',
    monitor: 'Monitor',
    validUntil: 'Geldig tot',
    issuer: 'Uitgever',
    registrar: 'Registrar',
    channel: 'Kanaal',
    failingSince: 'Faalt sinds',
    waiting: 'Wachtende berichten',
  },
  statuses: {
    investigating: 'In onderzoek',
    identified: 'Oorzaak gevonden',
    monitoring: 'Onder observatie',
    resolved: 'Opgelost',
  },
  states: {
    open: 'open',
    acknowledged: 'bevestigd',
    resolved: 'opgelost',
    stillFailing: 'handmatig gesloten, faalt nog',
  },
  links: {
    incident: 'Incident bekijken',
    acknowledge: 'Bekijken en bevestigen',
    runbook: 'Runbook',
    target: 'Adres openen',
  },
  letter: {
    why: (channel) =>
      `U krijgt dit bericht omdat uw adres in het meldingskanaal “${channel}” staat.`,
    openInstead: 'Of open dit adres',
    unsubscribe: 'Deze berichten niet meer ontvangen',
  },
  more: (count) => `nog ${count}`,
  flapping: 'Instabiel: de monitor valt telkens uit en herstelt weer.',
  becameOutage: 'Werd een storing.',
  stillFailing: 'De dienst faalt nog steeds. Houdt dat aan, dan wordt het incident heropend.',
  testBody: 'Dit kanaal werkt. Meldingen van uw monitoren komen hier aan.',
}
