// The overview, in German.

import type { Words } from '../en/en.ts'
import { counted } from '../model/plural.ts'

const inHours = counted('# Stunde', '# Stunden', 'de')

export const overview: Words['overview'] = {
  title: 'Übersicht',
  add: 'Monitor hinzufügen',
  search: 'Monitore suchen',
  states: 'Zustände',
  all: 'Alle',
  tag: 'Schlagwort',
  anyTag: 'Jedes Schlagwort',
  groupByTag: 'Nach Schlagwort gruppieren',
  untagged: 'Ohne Schlagwort',
  nothingFits: 'Kein Monitor passt.',
  columns: {
    name: 'Monitor',
    since: 'Seit',
    hours: 'Letzte 24 Stunden',
    uptime: 'Verfügbar',
    response: 'Antwort',
  },
  empty: {
    title: 'Noch wird nichts überwacht',
    about:
      'Fügen Sie die Adresse einer Seite, eines Servers oder eines Jobs ein: sie wird sofort geprüft.',
  },
  kinds: {
    endpoint: 'HTTP',
    health: 'Health',
    keyword: 'Stichwort',
    ssl: 'Zertifikat',
    ping: 'Ping',
    push: 'Push',
    tcp: 'TCP',
    dns: 'DNS',
    websocket: 'WebSocket',
    smtp: 'SMTP',
    domain: 'Domain',
  },
  lastDay: (bad) =>
    bad === 0
      ? 'Letzte 24 Stunden: kein Ausfall'
      : `Letzte 24 Stunden: Ausfälle in ${inHours(bad)}`,
  incidents: {
    title: 'Offene Vorfälle',
    count: counted('# offener Vorfall', '# offene Vorfälle', 'de'),
    acknowledged: 'Übernommen',
    all: 'Alle Vorfälle',
  },
}
