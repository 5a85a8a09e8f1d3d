// Messages in Polish. Past tenses of names are avoided: they would need the gender of the name.
import { pluralOf } from '../../domain/plural.ts'
import type { Words } from './words.ts'

const someDays = pluralOf('pl', { one: '# dzień', few: '# dni', many: '# dni', other: '# dnia' })
const days = (count: number) => (count === 0 ? 'mniej niż jeden dzień' : someDays(count))

const incidents = pluralOf('pl', {
  one: '# incydent',
  few: '# incydenty',
  many: '# incydentów',
  other: '# incydentu',
})

export const pl: Words = {
  isDown: (name) => `${name} nie działa`,
  isSlow: (name) => `${name} działa wolno`,
  wasDown: (name) => `Przerwa w działaniu: ${name}`,
  wasSlow: (name) => `Spowolnienie: ${name}`,
  reopened: (title) => `Otwarto ponownie: ${title}`,
  resolved: (title) => `Rozwiązano: ${title}`,
  closedByHand: (title) => `Zamknięto ręcznie: ${title}`,
  acknowledged: (title) => `Potwierdzono: ${title}`,
  reminder: (title) => `Przypomnienie: ${title}`,
  updated: (title) => `Aktualizacja: ${title}`,
  incidentsOpened: (count) => `Otwarto ${incidents(count)}`,
  incidentsResolved: (count) => `Rozwiązano ${incidents(count)}`,
  certificateExpires: (name, left) => `Certyfikat ${name} wygasa za ${days(left)}`,
  domainExpires: (domain, left) => `Domena ${domain} wygasa za ${days(left)}`,
  budgetAtRisk: (name) => `Budżet błędów dla ${name} nie wystarczy na ten miesiąc`,
  budgetExhausted: (name) => `Budżet błędów dla ${name} na ten miesiąc został wyczerpany`,
  channelFails: (channel) => `Nie można dostarczyć alertów do ${channel}`,
  channelWorks: (channel) => `Alerty są znów dostarczane do ${channel}`,
  test: (channel) => `Próba kanału ${channel}`,
  labels: {
    cause: 'Przyczyna',
    details: 'Szczegóły',
    monitors: 'Monitory',
    started: 'Początek',
    reopened: 'Otwarto ponownie',
    lasted: 'Czas trwania',
    lasting: 'Trwa już',
    acknowledged: 'Potwierdzono',
    resolved: 'Rozwiązano',
    closed: 'Zamknięto',
    update: 'Aktualizacja',
    message: 'Wiadomość',
    note: 'Uwaga',
    delayed: 'Opóźnienie wiadomości',
    moreIncidents: 'Inne incydenty',
    monitor: 'Monitor',
    validUntil: 'Ważny do',
    issuer: 'Wystawca',
    registrar: 'Rejestrator',
    objective: 'Cel',
    budgetUsed: 'Wykorzystany budżet',
    budgetEnds: 'Wyczerpie się około',
    channel: 'Kanał',
    failingSince: 'Nie działa od',
    waiting: 'Oczekujące wiadomości',
  },
  statuses: {
    investigating: 'W trakcie analizy',
    identified: 'Ustalono przyczynę',
    monitoring: 'Pod obserwacją',
    resolved: 'Rozwiązano',
  },
  states: {
    open: 'otwarty',
    acknowledged: 'potwierdzony',
    resolved: 'rozwiązany',
    stillFailing: 'zamknięty ręcznie, awaria trwa',
  },
  links: {
    incident: 'Zobacz incydent',
    incidents: 'Zobacz wszystkie incydenty',
    acknowledge: 'Zobacz i potwierdź',
    runbook: 'Instrukcja postępowania',
    target: 'Otwórz adres',
  },
  letter: {
    why: (channel) =>
      `Otrzymujesz tę wiadomość, ponieważ kanał alertów „${channel}” zawiera Twój adres.`,
    openInstead: 'Albo otwórz ten adres',
    unsubscribe: 'Nie wysyłaj mi więcej tych wiadomości',
  },
  more: (count) => `jeszcze ${count}`,
  flapping: 'Niestabilny: monitor wciąż przestaje działać i wraca do działania.',
  becameOutage: 'Przerodziło się w awarię.',
  stillFailing: 'Usługa nadal nie działa. Jeśli to potrwa, incydent zostanie otwarty ponownie.',
  testBody: 'Ten kanał działa. Alerty Twoich monitorów trafiają tutaj.',
}
