// The search of the guide, asked what users of such programs ask in forums: the answer is the first hit or the
// second.
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { buildGuide } from '../../scripts/guide/build.ts'

const { files } = await buildGuide()

interface Hit {
  readonly href: string
  readonly heading: string
}

function loadSearch(): (text: string) => readonly Hit[] {
  const name = [...files.keys()].find((name) => name.startsWith('search.')) ?? ''
  const window: { searchGuide?: (text: string) => readonly Hit[] } = {}
  runInNewContext(files.get(name)?.toString() ?? '', { window })
  return (text) => window.searchGuide?.(text) ?? []
}

const search = loadSearch()

/** A question, and the pages or sections that answer it. */
const questions: readonly (readonly [question: string, ...answers: string[]])[] = [
  ['how do I get alerts on my phone', 'phone'],
  ['push notification android', 'phone'],
  ['slack', 'chat#slack'],
  ['discord webhook', 'chat#discord'],
  ['telegram bot chat id', 'alerts#telegram', 'chat#telegram'],
  ['send alerts by email smtp', 'alerts#e-mail', 'mail'],
  ['prometheus', 'metrics'],
  ['grafana dashboard', 'monitor-metrics'],
  ['blackbox exporter', 'monitor-metrics'],
  ['monitor postgres', 'kind-postgres'],
  ['mysql', 'kind-mysql'],
  ['sql server', 'kind-sqlserver'],
  ['mongodb', 'kind-mongodb'],
  ['redis', 'kind-redis'],
  ['ldap', 'kind-ldap'],
  ['snmp switch', 'kind-snmp'],
  ['ssh host key', 'kind-ssh'],
  ['radius', 'kind-radius'],
  ['multi step login check', 'kind-steps'],
  ['postman collection', 'kind-steps'],
  ['use token from response in next request', 'kind-steps'],
  ['ntp offset', 'kind-ntp'],
  ['udp port', 'kind-udp'],
  ['minecraft players', 'kind-game'],
  [
    'nginx reverse proxy',
    'reverse-proxy#nginx',
    'reverse-proxy',
    'operating#behind-a-reverse-proxy',
  ],
  ['traefik', 'reverse-proxy'],
  [
    'caddy',
    'reverse-proxy#caddy',
    'status-pages#certificates-with-caddy',
    'install#with-caddy-and-tls',
  ],
  ['rotate master key', 'master-key#rotate-it', 'master-key'],
  ['lost master key', 'master-key#it-is-lost'],
  ['forgot my password', 'operating#lost-something'],
  ['reset admin password', 'operating#lost-something', 'command-line#user-reset-password'],
  ['lost 2fa', 'operating#lost-something'],
  ['docker compose', 'install#with-caddy-and-tls', 'compose.yaml', 'install#container'],
  ['docker', 'install#container'],
  ['systemd service', 'install#systemd'],
  [
    'cron job monitoring',
    'push#a-cron-job-in-one-line',
    'push',
    'recipes#a-cron-job-a-backup-a-worker',
  ],
  ['server behind firewall nat', 'behind-a-firewall'],
  ['disk space', 'behind-a-firewall#is-the-disk-full', 'operating#space'],
  ['ssl certificate expiry', 'recipes#a-certificate'],
  ['domain expiration', 'recipes#a-domain'],
  ['dns record', 'recipes#a-dns-record'],
  ['json api with bearer token', 'recipes#an-api'],
  ['status page custom domain', 'status-pages#your-own-domain'],
  ['private status page password', 'status-pages#a-password'],
  ['status badge', 'status-pages#for-programs'],
  ['embed widget', 'status-pages#for-programs'],
  ['subscribe to status page', 'status-pages#subscribers'],
  ['backup and restore', 'backups', 'backups#restore'],
  ['failover', 'standby', 'operating#a-second-machine'],
  ['standby', 'standby', 'operating#a-second-machine', 'command-line#standby'],
  ['promote standby', 'standby#the-leader-died', 'command-line#promote'],
  ['s3 backup', 'backups#copies-in-a-bucket'],
  ['upgrade', 'upgrading'],
  ['downgrade', 'upgrading#going-back'],
  ['migrate from uptime kuma', 'from-uptime-kuma', 'moving-in#from-another-product'],
  ['import gatus', 'from-gatus', 'moving-in#from-another-product'],
  ['migrate from oneuptime', 'from-oneuptime', 'moving-in#from-another-product'],
  ['api key', 'api#a-key', 'api'],
  ['maintenance window recurring', 'maintenance#recurring-windows'],
  ['silence alerts at night', 'alerts#quiet-hours'],
  ['pagerduty', 'alerts#on-call-platforms'],
  ['escalation', 'alerts#who-hears-what-and-when'],
  ['false alarms retries before alert', 'checks#defaults'],
  ['self signed certificate', 'checks#kinds', 'recipes#a-certificate'],
  ['oidc google login sso', 'sign-in#openid-providers'],
  ['invite a colleague', 'people-and-access#invite-somebody'],
  ['audit log', 'people-and-access#who-did-what-the-audit-log'],
  ['sla report uptime', 'reports#monthly-report', 'checks#uptime', 'history#uptime'],
  ['how long is data kept retention', 'limits#limits-that-stay', 'history'],
  ['port already in use', 'install#when-it-does-not-start'],
  ['environment variables', 'settings'],
  ['tv dashboard', 'console#the-wall'],
  ['keyboard shortcuts', 'console#keys'],
  ['webhook signature', 'alerts#webhooks'],
  ['dark mode', 'console#languages-and-looks'],
  ['kubernetes', 'install#container', 'recipes#a-health-check-of-your-own'],
  ['ping not working docker', 'install#container'],
  [
    'dead man switch',
    'operating#news-of-the-service-itself',
    'recipes#a-cron-job-a-backup-a-worker',
  ],
  ['move to another server', 'move'],
  ['change port', 'install#ports-and-places'],
  ['where is data stored', 'install#ports-and-places'],
  ['uninstall', 'install#systemd'],
  ['raspberry pi', 'install'],
  ['several locations', 'locations'],
  ['millions of monitors', 'scale'],
  ['how far does it scale', 'scale'],
  ['basic auth', 'recipes#something-behind-a-password'],
  ['post request', 'recipes#a-form-a-post'],
  ['ipv6', 'recipes#ipv6-apart-from-ipv4'],
  ['slow response alert', 'recipes#slow-answers'],
  ['pause a monitor', 'console#a-monitor'],
  ['bulk edit', 'console#many-monitors-at-once', 'checks#trials-bulk-changes-checks-by-hand'],
  ['parent dependency', 'alerts#monitors-that-depend-on-others'],
  ['test alert', 'alerts#set-up-a-channel'],
  ['read only user', 'people-and-access#roles'],
  ['delete account', 'people-and-access#rules'],
  ['n8n', 'alerts#webhooks'],
  ['passkey', 'sign-in#passkeys'],
  ['log file', 'debugging#the-log', 'install#ports-and-places'],
  ['acknowledge', 'incidents#the-life-of-an-incident', 'alerts#the-link-in-an-alert'],
]

/** A page answers by any of its sections. */
const isAnswer = (href: string, answer: string) =>
  answer.includes('#') ? href === answer : href.split('#', 1)[0] === answer

t.test('what people ask is answered by the first hit or the second', async (t) => {
  for (const [question, ...answers] of questions) {
    const found = search(question)
      .slice(0, 2)
      .map(({ href }) => href.replace('/guide/', ''))
    t.ok(
      found.some((href) => answers.some((answer) => isAnswer(href, answer))),
      `${question}: ${found.join(', ')}`,
    )
  }
})

t.test('words that are mistyped or in another form are found', async (t) => {
  const [typo] = search('certifcate')
  t.match(typo?.href, /certificate|tls/)
  t.match(search('restoring backups')[0]?.href, 'backups')
  t.same(search('xyzzy'), [])
})
