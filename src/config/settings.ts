// Every setting: its kind, its default and what it is for. The commented file is made from this.

import { limits } from '../domain/limits/limits.ts'
import type { OidcClient } from '../domain/sign-in/oidc.ts'
import {
  addressBlock,
  flag,
  type HostAndPort,
  hostname,
  integer,
  type Kind,
  listenAddress,
  listOf,
  mailbox,
  nameServer,
  oneOf,
  origin,
  path,
  secretText,
  sentinel,
  smtpUrl,
  webUrl,
} from './kinds.ts'
import { oidcClients } from './oidc-clients.ts'

export interface Setting<T> {
  readonly kind: Kind<T>
  /** The value where nothing is set; null where that means "none" or depends on the machine. */
  readonly fallback: T | null
  readonly doc: string
  /** What a fallback of null means. */
  readonly fallbackDoc?: string
  /** For the commented file, where there is no default to show. */
  readonly example?: unknown
  /** Never shown, and can be read from a file that `<variable>_FILE` names. */
  readonly isSecret?: boolean
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
    baseUrl: optional(
      origin,
      'The address that people use. It is part of every link that leaves the daemon, and decides whether cookies are for https only.',
      { example: 'https://up.example.com', fallbackDoc: 'http:// and the address listened on' },
    ),
    statusDomain: optional(
      hostname,
      'The domain under which status pages get subdomains: with status.example.com a page can be acme.status.example.com.',
      { example: 'status.example.com', fallbackDoc: 'none; pages are under /status/ only' },
    ),
    trustedProxies: value(
      listOf(addressBlock),
      [],
      'The reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.',
    ),
    rateApiPerMinute: value(
      perMinute,
      600,
      'API requests per minute for each credential, else for each address. 0 switches the limit off; so for all four. With this one go the limits of its costly requests: those in bulk, and checks by hand (6 a minute for a monitor, 30 for an organization).',
    ),
    rateAuthPerMinute: value(
      perMinute,
      10,
      'Attempts to sign in or register per minute, for each address and each e-mail address.',
    ),
    ratePushPerMinute: value(perMinute, 120, 'Push reports per minute for each push token.'),
    ratePagePerMinute: value(
      perMinute,
      1_200,
      'Requests for public pages per minute for each address.',
    ),
  },
  data: {
    dir: optional(path, 'The directory that holds everything. It is made where it is missing.', {
      example: '/var/lib/stillup',
      fallbackDoc: './data; under systemd the state directory',
    }),
    masterKeyFile: optional(
      path,
      'The key that seals secrets at rest, made where it is missing. Keep it apart from the data and from its backups.',
      {
        example: '/etc/stillup/master.key',
        fallbackDoc: "systemd's credential master-key, else master.key in data.dir",
      },
    ),
    commitDelayMs: value(
      integer(0, 1_000),
      50,
      'How long routine check results are gathered before one write to the disk. What a caller waits for and what raises an alarm is written at once.',
    ),
  },
  auth: {
    registration: value(
      oneOf('first-user', 'invite', 'open'),
      'first-user',
      'Who may register. first-user: the first person, with the setup token; after that by invitation. open: everybody.',
    ),
    setupToken: optional(secretText(8), 'What the first person has to present to register.', {
      example: 'a-long-random-text',
      fallbackDoc: 'made at the first start and printed until it is used',
      isSecret: true,
    }),
    redirectOrigins: value(
      listOf(origin),
      [],
      'Where sign-in links may lead besides http.baseUrl: origins such as https://app.example.com.',
    ),
    oidc: optional(
      oidcClients,
      'OpenID providers that people may sign in with. Each may also be a table [[auth.oidc]] at the end of the file. At the provider allow the redirect to <http.baseUrl>/api/v1/auth/oidc/<name>/callback.',
      { example: [exampleClient], isSecret: true },
    ),
  },
  checks: {
    targets: value(
      oneOf('auto', 'public', 'any'),
      'auto',
      'Which addresses may be checked. public: no private ones. auto: any while registration is closed to strangers, public once it is open.',
    ),
    allow: value(
      listOf(addressBlock),
      [],
      'Addresses that may be checked although checks.targets, or their being a cloud metadata service, forbids it.',
    ),
    deniedPorts: value(
      listOf(integer(1, 65_535)),
      limits.deniedPorts,
      'Ports above 1023 that may not be checked where checks.targets is public: a stranger could have what listens there do things. Below 1024 only those are open that belong to the kind of check.',
    ),
    concurrency: value(
      integer(1, 100_000),
      1_000,
      'Checks in flight at once. An eighth is kept for organizations that have few of them.',
    ),
    perHost: value(
      integer(1, 1_000),
      10,
      'Checks in flight at once to one host; an organization that has none there may have one more.',
    ),
    refreshRegistries: value(
      flag,
      true,
      'Whether the list of domain registries (RDAP) is fetched from IANA once a day, where domains are watched. Else the list that came with the daemon is used.',
    ),
  },
  mail: {
    smtpUrl: optional(
      smtpUrl,
      'The server that sends letters: links to sign in, invitations, notices.',
      {
        example: 'smtps://user:password@mail.example.com:465',
        fallbackDoc: 'none; letters are written to the directory outbox in data.dir',
        isSecret: true,
      },
    ),
    from: optional(mailbox, 'The sender of letters. Needed once mail.smtpUrl is set.', {
      example: 'Stillup <up@example.com>',
    }),
  },
  kyc: {
    provider: value(
      oneOf('manual', 'http'),
      'manual',
      'Who verifies identities. manual: the system administrator. http: the service at kyc.url.',
    ),
    url: optional(
      webUrl,
      'Where cases are sent, signed as webhooks are. It answers at once, or later by a callback.',
      { example: 'https://verify.example.com/cases' },
    ),
    secret: optional(
      secretText(16),
      'Signs what is sent to kyc.url and what comes back: whsec_ and base64, or any text, which counts by its bytes. Needed with kyc.provider = "http".',
      { example: 'a-long-random-text', isSecret: true },
    ),
    isRequired: value(
      flag,
      false,
      'Whether an organization needs an owner whose identity is approved before it makes monitors and pages.',
    ),
    keptDays: value(
      integer(1, 3_650),
      90,
      'How long what people submitted is kept after the decision.',
    ),
  },
  quotas: {
    monitors: optional(integer(1, 1_000_000), 'Monitors of one organization.', {
      example: 1_000,
      fallbackDoc: '200 where registration is open to everybody, else 100000',
    }),
    channels: value(integer(1, 10_000), 50, 'Alert channels of one organization.'),
    pages: value(integer(1, 10_000), 20, 'Status pages of one organization.'),
    members: value(integer(1, 10_000), 50, 'Members of one organization.'),
    keys: value(integer(1, 10_000), 20, 'API keys of one organization.'),
    invites: value(integer(1, 10_000), 500, 'Open invitations of one organization.'),
  },
  system: {
    token: optional(
      secretText(8),
      'The bearer token for the operator: /metrics from other machines, and the system routes.',
      { example: 'a-long-random-text', isSecret: true },
    ),
  },
  dns: {
    servers: value(
      listOf(nameServer),
      [],
      "The name servers that checks ask. An empty list means the system's.",
    ),
  },
  observer: {
    sentinels: value(
      listOf(sentinel),
      ['auto'],
      'Places that show whether our own network works: where fewer than half of them answer, failures that this explains count for nothing. Those that never answered do not count. auto: the default gateway and servers of the DNS root. The name servers are asked about top-level domains in any case; those that never answer that count by what they say of other names. off: nobody is looked at, and every failure counts.',
    ),
  },
  log: {
    level: value(oneOf('debug', 'info', 'warn', 'error'), 'info', 'The least that is logged.'),
    format: optional(oneOf('pretty', 'json'), 'How the log is written, to standard error.', {
      example: 'json',
      fallbackDoc: 'pretty on a terminal, else json',
    }),
  },
} as const satisfies Record<string, Record<string, Setting<unknown>>>

type Table = typeof table
type ValueOf<S> = S extends { kind: Kind<infer T>; fallback: infer F }
  ? F extends null
    ? T | null
    : T
  : never

/** The settings as chosen: null where nothing is set and there is no fixed default. */
export type Chosen = {
  readonly [Section in keyof Table]: {
    readonly [Name in keyof Table[Section]]: ValueOf<Table[Section][Name]>
  }
}

/** The settings of a running daemon. */
export interface Settings extends Omit<Chosen, 'data' | 'log'> {
  readonly data: {
    /** Absolute. */
    readonly dir: string
    /** Absolute. */
    readonly masterKeyFile: string
    readonly commitDelayMs: number
  }
  readonly log: {
    readonly level: Chosen['log']['level']
    readonly format: 'pretty' | 'json'
  }
}

/** The variable of a setting: `http.baseUrl` → `STILLUP_HTTP_BASE_URL`. */
export function variableOf(section: string, name: string): string {
  const words = `${section}_${name.replace(/[A-Z]/g, (letter) => `_${letter}`)}`
  return `STILLUP_${words.toUpperCase()}`
}

/** `http.baseUrl` where none is set: a wildcard address is no address that a browser can use. */
export function defaultBaseUrl({ host, port }: HostAndPort): string {
  const isWildcard = host === '0.0.0.0' || host === '::'
  const name = isWildcard ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
