// The overview.
import { counted } from '../model/plural.ts'

const inHours = counted('# hour', '# hours', 'en')

export const overview = {
  title: 'Overview',
  add: 'Add a monitor',
  search: 'Search monitors',
  states: 'States',
  all: 'All',
  tag: 'Tag',
  anyTag: 'Every tag',
  groupByTag: 'Group by tag',
  untagged: 'Without a tag',
  nothingFits: 'No monitor fits.',
  columns: {
    name: 'Monitor',
    since: 'Since',
    hours: 'Last 24 hours',
    uptime: 'Uptime 24 h',
    response: 'Response',
  },
  empty: {
    title: 'Nothing is watched yet',
    about: 'Paste the address of a web page, a server or a job: it is checked at once.',
  },
  kinds: {
    endpoint: 'HTTP',
    health: 'Health',
    keyword: 'Keyword',
    ssl: 'Certificate',
    ping: 'Ping',
    push: 'Push',
    tcp: 'TCP',
    dns: 'DNS',
    websocket: 'WebSocket',
    smtp: 'SMTP',
    domain: 'Domain',
  },
  lastDay: (bad: number) =>
    bad === 0 ? 'Last 24 hours: no outage' : `Last 24 hours: outages in ${inHours(bad)}`,
  incidents: {
    title: 'Open incidents',
    count: counted('# open incident', '# open incidents', 'en'),
    acknowledged: 'Acknowledged',
    all: 'All incidents',
  },
}
