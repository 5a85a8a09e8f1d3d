// Messages in Italian.
import { pluralOf } from './plural.ts'
import type { Words } from './words.ts'

const someDays = pluralOf('it', { one: '# giorno', other: '# giorni' })
const days = (count: number) => (count === 0 ? 'meno di un giorno' : someDays(count))

export const it: Words = {
  isDown: (name) => `${name} non funziona`,
  isSlow: (name) => `${name} risponde lentamente`,
  wasDown: (name) => `${name} non funzionava`,
  wasSlow: (name) => `${name} rispondeva lentamente`,
  reopened: (title) => `Riaperto: ${title}`,
  resolved: (title) => `Risolto: ${title}`,
  closedByHand: (title) => `Chiuso manualmente: ${title}`,
  acknowledged: (title) => `Preso in carico: ${title}`,
  reminder: (title) => `Promemoria: ${title}`,
  updated: (title) => `Aggiornamento: ${title}`,
  incidentsOpened: pluralOf('it', { one: '# incidente aperto', other: '# incidenti aperti' }),
  incidentsResolved: pluralOf('it', { one: '# incidente risolto', other: '# incidenti risolti' }),
  certificateExpires: (name, left) => `Il certificato di ${name} scade tra ${days(left)}`,
  domainExpires: (domain, left) => `Il dominio ${domain} scade tra ${days(left)}`,
  channelFails: (channel) => `Gli avvisi non possono essere consegnati a ${channel}`,
  channelWorks: (channel) => `Gli avvisi vengono di nuovo consegnati a ${channel}`,
  test: (channel) => `Prova di ${channel}`,
  labels: {
    cause: 'Causa',
    details: 'Dettagli',
    monitors: 'Monitor',
    started: 'Inizio',
    reopened: 'Riaperto',
    lasted: 'Durata',
    lasting: 'Durata finora',
    acknowledged: 'Preso in carico',
    resolved: 'Risolto',
    closed: 'Chiuso',
    update: 'Aggiornamento',
    message: 'Messaggio',
    note: 'Nota',
    delayed: 'Ritardo dell’invio',
    moreIncidents: 'Altri incidenti',
    monitor: 'Monitor',
    validUntil: 'Valido fino al',
    issuer: 'Emittente',
    registrar: 'Registrar',
    channel: 'Canale',
    failingSince: 'Non funziona dal',
    waiting: 'Messaggi in attesa',
  },
  statuses: {
    investigating: 'In corso di analisi',
    identified: 'Causa individuata',
    monitoring: 'In osservazione',
    resolved: 'Risolto',
  },
  states: {
    open: 'aperto',
    acknowledged: 'preso in carico',
    resolved: 'risolto',
    stillFailing: 'chiuso manualmente, ancora in errore',
  },
  links: {
    incident: 'Vedi l’incidente',
    acknowledge: 'Vedi e prendi in carico',
    runbook: 'Procedura di intervento',
    target: 'Apri l’indirizzo',
  },
  letter: {
    why: (channel) =>
      `Ricevi questo messaggio perché il canale di avviso «${channel}» contiene il tuo indirizzo.`,
    openInstead: 'Oppure apri questo indirizzo',
    unsubscribe: 'Non ricevere più questi messaggi',
  },
  more: pluralOf('it', { one: '# altro', other: 'altri #' }),
  flapping: 'Instabile: il monitor continua a guastarsi e a riprendersi.',
  becameOutage: 'Diventato un’interruzione.',
  stillFailing: 'Il servizio non funziona ancora. Se continua così, l’incidente verrà riaperto.',
  testBody: 'Questo canale funziona. Gli avvisi dei tuoi monitor arrivano qui.',
}
