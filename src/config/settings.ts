// Every setting with its kind, default and description. The commented file is generated from this.

import { nouns, quotaNouns, recordOf } from '../base/nouns.ts'
import { autoCoresMin, autoMonitorsMin, poolThreadsMax } from '../domain/checks/pool-size.ts'
import { limits } from '../domain/limits/limits.ts'
import type { OidcClient } from '../domain/sign-in/oidc.ts'
import {
  addressBlock,
  autoOr,
  browserPlace,
  bucketName,
  clusterName,
  commandLine,
  emailAddress,
  engineAddress,
  flag,
  type HostAndPort,
  hostname,
  hostPart,
  integer,
  type Kind,
  keyPrefix,
  listenAddress,
  listOf,
  mailbox,
  nameLine,
  nameServer,
  natsServer,
  oneOf,
  organizationId,
  origin,
  path,
  proxyAddress,
  secretText,
  sentinel,
  serviceAddress,
  smtpUrl,
  tableOf,
  tlsListenAddress,
  unitPattern,
  webUrl,
  wholePath,
  word,
} from './kinds.ts'
import { oidcClients } from './oidc-clients.ts'

export interface Setting<T> {
  readonly kind: Kind<T>
  /** The default; null means "none" or "depends on the machine". */
  readonly fallback: T | null
  readonly doc: string
  /** Describes a default of null. */
  readonly fallbackDoc?: string
  /** For the commented file, if there is no default to show. */
  readonly example?: unknown
  /** Never shown, and can be read from the file that `<variable>_FILE` names. */
  readonly isSecret?: boolean
  /** A reload (SIGHUP) applies it; every other setting needs a restart. */
  readonly isLive?: boolean
  /** Administrators may set it in the console, too. */
  readonly isOffered?: boolean
}

/** A setting that always has a value. */
function value<T>(kind: Kind<T>, fallback: T, doc: string): Setting<T> & { fallback: T } {
  return { kind, fallback, doc }
}

/** A setting that may be absent. */
function optional<T>(
  kind: Kind<T>,
  doc: string,
  more: { example: unknown; fallbackDoc?: string; isSecret?: boolean },
): Setting<T> & { fallback: null } {
  return { kind, fallback: null, doc, fallbackDoc: 'none', ...more }
}

/** A setting that a reload applies. Its readers use `Live` (config/live.ts). */
function live<S extends Setting<unknown>>(setting: S): S & { readonly isLive: true } {
  return { ...setting, isLive: true }
}

/**
 * A setting that the console offers. What is needed before the data is open, and what names files of this
 * machine, stays with the file.
 */
function offered<S extends Setting<unknown>>(setting: S): S & { readonly isOffered: true } {
  return { ...setting, isOffered: true }
}

/** The quotas with a default of their own; that of monitors depends on the registration mode. */
const fixedQuotas = quotaNouns.filter((name) => name !== 'monitors')

function quotaSetting(name: (typeof fixedQuotas)[number]) {
  const { title, quota } = nouns[name]
  return offered(
    live(
      value<number>(
        integer(1, quota.max),
        quota.usual,
        `Maximum number of ${title} of one organization.`,
      ),
    ),
  )
}

const perMinute = integer(0, 1_000_000)

const exampleClient: OidcClient = {
  name: 'company',
  label: 'Company account',
  issuer: 'https://login.example.com',
  clientId: 'stillup',
  clientSecret: 'a-long-random-text',
  scopes: 'openid email profile',
}

export const table = {
  http: {
    listen: value(
      listenAddress,
      { host: '127.0.0.1', port: 8080 } as HostAndPort,
      'Where the daemon listens. Put a reverse proxy with TLS in front before you open it to others.',
    ),
    baseUrl: offered(
      optional(
        serviceAddress,
        'The public address of this service. All links that the daemon sends start with it, and it decides whether cookies are for https only. With a path, the reverse proxy forwards requests with the path: see docs/install.md.',
        {
          example: 'https://up.example.com',
          fallbackDoc: 'http:// and the address of http.listen',
        },
      ),
    ),
    statusDomain: offered(
      optional(
        hostname,
        'The domain under which status pages get subdomains: with status.example.net a page can be acme.status.example.net. The host of http.baseUrl is neither this domain nor below it. Take another registered domain, so that nothing at a status page can set cookies for the service.',
        { example: 'status.example.net', fallbackDoc: 'none; pages are under /status/ only' },
      ),
    ),
    trustedProxies: offered(
      live(
        value(
          listOf(addressBlock),
          [],
          'The reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.',
        ),
      ),
    ),
    tlsListen: optional(
      tlsListenAddress,
      'Where the daemon also listens with TLS. Certificates come from http.tlsCertFile or by ACME. Requires an http.baseUrl with https.',
      { example: ':443', fallbackDoc: 'none; a reverse proxy has the certificates' },
    ),
    tlsCertFile: optional(
      path,
      'A certificate of your own in PEM, with its chain: used for every host that it names, and for callers that name no other host. Read again when it changes.',
      { example: '/etc/stillup/tls.crt' },
    ),
    tlsKeyFile: optional(path, 'The private key of http.tlsCertFile, in PEM.', {
      example: '/etc/stillup/tls.key',
    }),
    hstsSeconds: value(
      integer(0, 63_072_000),
      0,
      'How long browsers that used TLS use nothing else (Strict-Transport-Security). 0: they are not told.',
    ),
    rateApiPerMinute: offered(
      live(
        value(
          perMinute,
          600,
          'API requests per minute for each credential, or for each address without one. 0 switches a limit off; this holds for all four. Switching this one off also lifts the limits of costly requests: those in bulk, and checks by hand (6 a minute for a monitor, 30 for an organization).',
        ),
      ),
    ),
    rateAuthPerMinute: offered(
      live(
        value(
          perMinute,
          10,
          'Attempts to sign in or register per minute, for each address and each e-mail address. 0 also lifts the limits of registrations, letters and invitations; wrong passwords and codes stay limited.',
        ),
      ),
    ),
    ratePushPerMinute: offered(
      live(value(perMinute, 120, 'Push reports per minute for each push token.')),
    ),
    createByPingKey: live(
      value(
        flag,
        true,
        'Whether reports to /ping/<key>/<slug>?create=1 make push monitors for organizations that imported such a ping key of Healthchecks.',
      ),
    ),
    ratePagePerMinute: offered(
      live(
        value(
          perMinute,
          1_200,
          'Requests for public pages per minute for each address. What pages are made of, such as style sheets, fonts and pictures, counts by itself, ten times as much.',
        ),
      ),
    ),
  },
  acme: {
    isEnabled: value(
      flag,
      true,
      'Whether certificates are obtained by ACME for the hosts that http.tlsCertFile does not name, once http.tlsListen is set. You accept the terms of the authority by this.',
    ),
    directoryUrl: value(
      webUrl,
      'https://acme-v02.api.letsencrypt.org/directory',
      'The directory of the certificate authority.',
    ),
    email: optional(emailAddress, 'Where the authority can write to you.', {
      example: 'hostmaster@example.com',
    }),
    caFile: optional(
      path,
      'More authorities, in PEM, that the server at acme.directoryUrl may be certified by.',
      { example: '/etc/stillup/acme-ca.pem' },
    ),
  },
  data: {
    dir: optional(
      path,
      'The directory that holds all data. The daemon creates it if it is missing.',
      {
        example: '/var/lib/stillup',
        fallbackDoc: './data; under systemd the state directory',
      },
    ),
    masterKeyFile: optional(
      path,
      'The key that encrypts stored secrets. The daemon creates it if it is missing. Keep it apart from the data and from its backups.',
      {
        example: '/etc/stillup/master.key',
        fallbackDoc: "systemd's credential master-key, otherwise master.key in data.dir",
      },
    ),
    maxMib: live(
      value(
        integer(0, 1_000_000_000),
        0,
        'A budget for the data, in MiB: at 80 % the operator is told, from 90 % on the oldest results of checks are dropped, and at 100 % nothing new can be created. Checks, incidents and alerts go on. 0: no budget.',
      ),
    ),
    uploadMib: live(
      value(
        integer(0, 65_536),
        4_096,
        'The largest file that an organization may upload for an import, in MiB, such as the database of Uptime Kuma. It lies in data.dir for an hour at most, and all of them take no more than half of what is free there. 0: none.',
      ),
    ),
    commitDelayMs: value(
      integer(0, 1_000),
      50,
      'How long routine check results are collected before one write to the disk. Results that a caller waits for or that raise an alarm are written at once.',
    ),
  },
  backup: {
    dir: optional(
      path,
      'The directory of the backups. Best on another disk: those beside the data are lost with it. No other service may keep its backups there.',
      { example: '/mnt/backup/stillup', fallbackDoc: 'backups in data.dir' },
    ),
    everyHours: offered(
      value(integer(0, 168), 24, 'Hours between two backups. 0: none is made by itself.'),
    ),
    keepDaily: offered(
      value(
        integer(0, 366),
        7,
        'Of so many days that have a backup the newest one is kept. Those of the last 24 hours are always kept.',
      ),
    ),
    keepWeekly: offered(
      value(integer(0, 520), 4, 'The same for weeks, which begin on Monday (UTC).'),
    ),
    beforeUpgrade: value(
      flag,
      true,
      'Whether the data is backed up before a new version upgrades it. The backup is in before-upgrade in backup.dir until the upgraded data has a backup that is a day younger.',
    ),
    restoresDamagedData: value(
      flag,
      true,
      'Whether the daemon puts back the newest verified backup by itself when it starts and finds that its data file is damaged. The damaged file is kept. If false, it refuses to start.',
    ),
    bucketUrl: offered(
      live(
        optional(
          webUrl,
          'The S3-compatible service to which each backup is copied. Requires backup.bucketName, backup.bucketAccessKey and backup.bucketSecretKey.',
          { example: 'https://s3.eu-central-1.amazonaws.com', fallbackDoc: 'none; no copies' },
        ),
      ),
    ),
    bucketName: offered(
      live(
        optional(bucketName, 'The bucket there. It is not created.', {
          example: 'stillup-backups',
        }),
      ),
    ),
    bucketRegion: offered(
      live(
        value(
          word,
          'us-east-1',
          'The region of the bucket. Services without regions take any, or auto.',
        ),
      ),
    ),
    bucketAccessKey: offered(
      live(
        optional(
          secretText(3),
          'The id of the access key. It needs the rights s3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload.',
          { example: 'AKIAIOSFODNN7EXAMPLE', isSecret: true },
        ),
      ),
    ),
    bucketSecretKey: offered(
      live(
        optional(secretText(8), 'The secret of the access key.', {
          example: 'a-long-random-text',
          isSecret: true,
        }),
      ),
    ),
    bucketPrefix: offered(
      live(value(keyPrefix, 'stillup/', 'The folder in the bucket. Give each daemon its own.')),
    ),
    bucketAddressing: offered(
      live(
        value(
          oneOf('auto', 'path', 'virtual-host'),
          'auto',
          'Where requests name the bucket. path: https://host/bucket/. virtual-host: https://bucket.host/. auto: in the host at Amazon, else in the path.',
        ),
      ),
    ),
    bucketIsSealed: live(
      value(
        flag,
        true,
        'Whether backups are encrypted before they leave this machine, with a key that is derived from the master key. Nobody can restore them without it.',
      ),
    ),
    bucketServerEncryption: offered(
      live(
        optional(
          oneOf('AES256', 'aws:kms'),
          'How the service is asked to encrypt what it stores.',
          {
            example: 'AES256',
            fallbackDoc: 'as the bucket is configured',
          },
        ),
      ),
    ),
    bucketCaFile: live(
      optional(
        path,
        'More authorities, in PEM, that the server at backup.bucketUrl may be certified by.',
        { example: '/etc/stillup/bucket-ca.pem' },
      ),
    ),
  },
  auth: {
    registration: offered(
      live(
        value(
          oneOf('first-user', 'invite', 'open'),
          'first-user',
          'Who may register. first-user: the first person, with the setup token; everyone else needs an invitation. invite: the same. open: anyone; without the setup token nobody becomes an administrator.',
        ),
      ),
    ),
    setupToken: optional(secretText(8), 'The token that the first person needs to register.', {
      example: 'a-long-random-text',
      fallbackDoc: 'generated at the first start and printed until it is used',
      isSecret: true,
    }),
    trustedDeviceDays: offered(
      live(
        value(
          integer(0, 90),
          30,
          'For how many days a browser can be remembered, so that it asks for no code after the password. 0: each sign-in asks for a code.',
        ),
      ),
    ),
    redirectOrigins: value(
      listOf(origin),
      [],
      'Where sign-in links may lead in addition to http.baseUrl: origins such as https://app.example.com.',
    ),
    oidc: offered(
      live(
        optional(
          oidcClients,
          'OpenID providers that people can sign in with. Each can also be a table [[auth.oidc]] at the end of the file. Register the redirect to <http.baseUrl>/api/v1/auth/oidc/<name>/callback at the provider.',
          { example: [exampleClient], isSecret: true },
        ),
      ),
    ),
  },
  checks: {
    targets: live(
      value(
        oneOf('auto', 'public', 'any'),
        'auto',
        'Which addresses may be checked. public: no private addresses. auto: any address while strangers cannot register, public once auth.registration is open.',
      ),
    ),
    keepPrivateAnswers: live(
      value(
        oneOf('auto', 'always'),
        'auto',
        'Whether failed checks of private addresses keep what the target answered. auto: while the service has one organization. always: also with several, if they all belong to one company. While auth.registration is open, nothing is kept.',
      ),
    ),
    allow: live(
      value(
        listOf(addressBlock),
        [],
        'Addresses that may be checked even if checks.targets forbids them or they belong to a cloud metadata service.',
      ),
    ),
    deniedPorts: live(
      value(
        listOf(integer(1, 65_535)),
        limits.deniedPorts,
        'Ports above 1023 that may not be checked while checks.targets is public, because a stranger could control what listens there. Below 1024 only the ports that belong to the kind of check are allowed.',
      ),
    ),
    containers: live(
      value(
        tableOf(engineAddress),
        {},
        'The engines whose containers may be watched, Docker or Podman, each under a name: { local = "/var/run/docker.sock" }. A monitor names it: container://local/web. A program that may open such a socket owns the machine; the daemon only reads.',
      ),
    ),
    units: live(
      value(
        listOf(unitPattern),
        [],
        'The units of systemd on this machine that may be watched, such as nginx.service or backup-*.timer; * stands for anything.',
      ),
    ),
    host: live(
      value(
        listOf(hostPart),
        [],
        'What may be watched of this machine itself: memory, load, cpu, and disks by a path on each, such as / or /var.',
      ),
    ),
    files: live(
      value(
        listOf(wholePath),
        [],
        'The folders in which the age and the size of files may be watched, such as /var/backups; those below count, too.',
      ),
    ),
    commands: live(
      value(
        tableOf(commandLine),
        {},
        'The programs that monitors may run, each under a name and with its arguments: { raid = ["/usr/lib/nagios/plugins/check_raid", "-p", "{disk}"] }. A monitor names it: command://raid?disk=sda, where {disk} stands for what the monitor gives. They run as the user of the daemon, without a shell.',
      ),
    ),
    browsers: live(
      value(
        listOf(browserPlace),
        [],
        'The browsers that open pages for monitors: each the path of a Chromium that is started for every check, such as /usr/bin/chromium, with further arguments after it, or the address of one that runs on this machine or in its network, such as http://127.0.0.1:9222. All that a page loads obeys checks.targets and checks.allow.',
      ),
    ),
    browsersAtOnce: live(
      value(
        integer(1, 32),
        1,
        'Checks with a browser at once; the others wait for their turn. Each takes a core and up to checks.browserMemoryMb.',
      ),
    ),
    browserMemoryMb: live(
      value(
        integer(128, 65_536),
        1_024,
        'The memory in MB that a browser which is started may take, with all its processes; beyond it, the browser ends, and the page is down.',
      ),
    ),
    machineOrgs: live(
      value(
        listOf(organizationId),
        [],
        'The ids of the organizations whose monitors may use checks.containers, checks.units, checks.host, checks.files, checks.commands and checks.browsers. Empty: the only organization; once there are several, none, unless checks.keepPrivateAnswers is always and strangers cannot register.',
      ),
    ),
    proxies: live({
      ...value(
        tableOf(proxyAddress),
        {},
        'The proxies that monitors may go through, each under a name: { office = "http://user:password@10.0.0.1:3128", tor = "socks5://127.0.0.1:9050?resolves=true" }. A monitor names it in proxy. The proxy may be anywhere. The target is resolved and judged here, and the proxy gets its address; with ?resolves=true the proxy resolves names, so that it leads to whatever it can reach under a name.',
      ),
      isSecret: true,
    }),
    proxyOrgs: live(
      value(
        listOf(organizationId),
        [],
        'The ids of the organizations whose monitors may use checks.proxies. Empty: as for checks.machineOrgs.',
      ),
    ),
    concurrency: live(
      value(
        integer(1, 100_000),
        1_000,
        'Checks in flight at once. One eighth of them is reserved for organizations that have few in flight.',
      ),
    ),
    perHost: live(
      value(
        integer(1, 1_000),
        10,
        'Checks in flight at once to one host. An organization that has none there may start one more.',
      ),
    ),
    workers: value(
      autoOr(integer(0, poolThreadsMax)),
      'auto',
      `Threads that make checks, so that more than one core does; each takes about 40 MB. 0: the checks are made beside everything else. auto: one for each core but one, at most ${poolThreadsMax}; none on less than ${autoCoresMin} cores, or before there are ${autoMonitorsMin} monitors.`,
    ),
    homeName: live(
      optional(
        nameLine,
        'The name of the place where the daemon itself makes checks, for monitors that are checked from several locations. Alerts and pages say it: Fails from Frankfurt, works from Oslo.',
        { example: 'Frankfurt', fallbackDoc: 'none; texts say that it is here' },
      ),
    ),
    caFile: live(
      optional(
        path,
        'A file with certificates of further authorities, in PEM. Checks trust targets that these have certified, in addition to those of Node. Read at each start and reload.',
        { example: '/etc/stillup/checks-ca.pem' },
      ),
    ),
    refreshRegistries: value(
      flag,
      true,
      'Whether the list of domain registries (RDAP) is fetched from IANA once a day while there are domain monitors. If false, the list that ships with the daemon is used.',
    ),
  },
  mail: {
    smtpUrl: offered(
      live(
        optional(
          smtpUrl,
          'The mail server that sends letters: sign-in links, invitations, notices.',
          {
            example: 'smtps://user:password@mail.example.com:465',
            fallbackDoc: 'none; letters are written to the directory outbox in data.dir',
            isSecret: true,
          },
        ),
      ),
    ),
    from: offered(
      live(
        optional(mailbox, 'The sender of letters. Required when mail.smtpUrl is set.', {
          example: 'stillup <up@example.com>',
        }),
      ),
    ),
  },
  kyc: {
    provider: value(
      oneOf('manual', 'http'),
      'manual',
      'Who verifies identities. manual: the system administrator. http: the service at kyc.url.',
    ),
    url: optional(
      webUrl,
      'Where cases are sent, signed like webhooks. The service answers at once, or later with a callback.',
      { example: 'https://verify.example.com/cases' },
    ),
    secret: optional(
      secretText(16),
      'Signs the requests to kyc.url and the callbacks: whsec_ and base64, or any text, whose bytes are the key. Required with kyc.provider = "http".',
      { example: 'a-long-random-text', isSecret: true },
    ),
    isRequired: value(
      flag,
      false,
      'Whether an organization needs an owner with an approved identity before it can create monitors and status pages.',
    ),
    keptDays: value(
      integer(1, 3_650),
      90,
      'How long submitted details are kept after the decision.',
    ),
  },
  heartbeat: {
    url: offered(
      live(
        optional(
          webUrl,
          'Called with GET while this daemon does its work: checks run, results are stored, alerts are sent. A service there can raise an alarm when the calls stop.',
          { example: 'https://watchdog.example.com/ping/a-long-random-text', isSecret: true },
        ),
      ),
    ),
    everySeconds: offered(
      live(value(integer(10, 3_600), 60, 'Seconds between two calls of heartbeat.url.')),
    ),
  },
  quotas: {
    monitors: offered(
      live(
        optional(
          integer(1, nouns.monitors.quota.max),
          'Maximum number of monitors of one organization.',
          {
            example: 1_000,
            fallbackDoc: '200 while registration is open to everyone, otherwise 100000',
          },
        ),
      ),
    ),
    ...recordOf(fixedQuotas, quotaSetting),
  },
  system: {
    token: live(
      optional(
        secretText(8),
        'The bearer token of the operator: for /metrics from other machines, and for the system routes.',
        { example: 'a-long-random-text', isSecret: true },
      ),
    ),
    watchdogSeconds: live(
      value(
        integer(0, 3_600),
        15,
        'How long the daemon may stand still, blocked by a defect, before it kills itself so that it is started again. Time in which the process is stopped or the machine sleeps does not count, nor does a debugger. 0 switches this off.',
      ),
    ),
  },
  cluster: {
    standby: value(
      flag,
      false,
      'Whether a standby on another machine may follow this daemon (stillup standby). Each change then waits until a standby that follows has it, for at most 2 s. Both machines need the same master key, and this setting.',
    ),
    servers: value(
      listOf(natsServer),
      [],
      'The NATS servers with JetStream that keep the log of a cluster. Where there are some, this machine is a member: one member leads, the others follow and take over by themselves. Requires cluster.nkeyFile. All members need the same master key.',
    ),
    nkeyFile: optional(
      path,
      'The file with the NKey seed of this member, which begins with SU. Only its owner may read it.',
      { example: '/etc/stillup/member.nk' },
    ),
    caFile: optional(
      path,
      'A file of authorities in PEM, besides those of Node, that the NATS servers and the other members may be certified by.',
      { example: '/etc/stillup/cluster-ca.pem' },
    ),
    cell: value(clusterName, 'c0', 'The name of the cluster within its NATS servers.'),
    member: optional(clusterName, 'The name of this machine among the members.', {
      example: 'a',
      fallbackDoc: 'the host name of the machine',
    }),
    memberUrl: optional(
      serviceAddress,
      'The address at which the other members reach this one, for a copy of the data.',
      { example: 'https://a.up.example.com', fallbackDoc: 'http.baseUrl' },
    ),
    leaseSeconds: value(
      integer(5, 300),
      15,
      'How long a leader leads after it was last heard. An election of NATS takes up to 10 s, so less than 15 s costs healthy leaders their place. A new leader has to start within it, too. The streams of the cluster are made with it.',
    ),
    monitorUrls: value(
      listOf(webUrl),
      [],
      'The monitoring addresses of the NATS servers, such as http://127.0.0.1:8222. They tell whether the servers put on disk what they acknowledge (sync_interval: always); a start refuses those that do not.',
    ),
  },
  dns: {
    servers: offered(
      live(
        value(
          listOf(nameServer),
          [],
          'The name servers that checks query. An empty list means those of the system.',
        ),
      ),
    ),
  },
  observer: {
    sentinels: offered(
      value(
        listOf(sentinel),
        ['auto'],
        'Hosts that show whether the local network works: while fewer than half of them answer, failures that this explains are ignored. Hosts that never answered do not count. auto: the default gateway and DNS root servers. The name servers are queried for top-level domains in any case; a server that never answers those is judged by its answers for other names. off: nothing is tested, and every failure counts.',
      ),
    ),
  },
  pages: {
    exportDir: optional(
      path,
      'The directory to which every status page without a password is exported as static files: <exportDir>/<slug>/, written again after each change. Any web server or bucket can serve them while this daemon is gone.',
      { example: '/var/lib/stillup-pages' },
    ),
    importSubscribers: live(
      value(
        oneOf('unless-open', 'always', 'never'),
        'unless-open',
        'Whether organizations may import subscribers of status pages who confirmed elsewhere, and are not asked again. unless-open: yes, unless anyone may register (auth.registration). always: then, too, up to 10000 a day for each organization.',
      ),
    ),
  },
  log: {
    level: live(
      value(oneOf('debug', 'info', 'warn', 'error'), 'info', 'The lowest level that is logged.'),
    ),
    format: optional(
      oneOf('pretty', 'json'),
      'The format of the log, which goes to standard error.',
      {
        example: 'json',
        fallbackDoc: 'pretty on a terminal, otherwise json',
      },
    ),
  },
} as const satisfies Record<string, Record<string, Setting<unknown>>>

export interface OfferedSetting {
  readonly section: string
  readonly name: string
  /** `section.name`. */
  readonly path: string
  readonly setting: Setting<unknown>
}

/** The settings that the console offers, in the order of the file. */
export const offeredSettings: readonly OfferedSetting[] = Object.entries(table).flatMap(
  ([section, names]) =>
    Object.entries(names)
      .map(([name, setting]) => ({
        section,
        name,
        path: `${section}.${name}`,
        setting: setting as Setting<unknown>,
      }))
      .filter(({ setting }) => setting.isOffered),
)

type SettingsTable = typeof table
type ValueOf<S> = S extends { kind: Kind<infer T>; fallback: infer F }
  ? F extends null
    ? T | null
    : T
  : never

/** The settings as configured: null if unset and without a fixed default. */
export type ChosenSettings = {
  readonly [Section in keyof SettingsTable]: {
    readonly [Name in keyof SettingsTable[Section]]: ValueOf<SettingsTable[Section][Name]>
  }
}

/** The settings of a running daemon. */
export interface Settings extends Omit<ChosenSettings, 'data' | 'backup' | 'log'> {
  readonly backup: Omit<ChosenSettings['backup'], 'dir'> & {
    /** An absolute path. */
    readonly dir: string
  }
  readonly data: {
    /** An absolute path. */
    readonly dir: string
    /** An absolute path. */
    readonly masterKeyFile: string
    readonly commitDelayMs: number
    /** 0 without a budget. */
    readonly maxMib: number
  }
  readonly log: {
    readonly level: ChosenSettings['log']['level']
    readonly format: 'pretty' | 'json'
  }
}

type LiveNames<Section> = {
  [Name in keyof Section]: Section[Name] extends { readonly isLive: true } ? Name : never
}[keyof Section]

/** The settings that a reload changes. */
export type LiveSettings = {
  readonly [Section in keyof SettingsTable as LiveNames<SettingsTable[Section]> extends never
    ? never
    : Section]: {
    readonly [Name in LiveNames<SettingsTable[Section]>]: ValueOf<SettingsTable[Section][Name]>
  }
}

/** The settings that stay as they were at the start. */
export type FixedSettings = {
  readonly [Section in keyof Settings]: Omit<Settings[Section], LiveNames<SettingsTable[Section]>>
}

/** The variable of a setting: `http.baseUrl` → `STILLUP_HTTP_BASE_URL`. */
export function variableOf(section: string, name: string): string {
  const variableText = `${section}_${name.replace(/[A-Z]/g, (letter) => `_${letter}`)}`
  return `STILLUP_${variableText.toUpperCase()}`
}

/** The default of `http.baseUrl`. No browser can use a wildcard address: it becomes localhost. */
export function defaultBaseUrl({ host, port }: HostAndPort): string {
  const isWildcard = host === '0.0.0.0' || host === '::'
  const name = isWildcard ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
