// The groups of operations in the OpenAPI document: what each is about, in the order of the reference.

/** By the tag of a route, which is the last word of its resource's path. */
const descriptions: Readonly<Record<string, string>> = {
  monitors:
    'What is watched: web pages, certificates, ports, names and jobs that report by themselves. ' +
    'A monitor has settings, a state and results.',
  overview: 'All monitors of an organization at a glance, for screens that show every one of them.',
  push:
    'Reports of jobs to a push monitor. The token in the path is the only credential, except that ' +
    'old senders may name the monitor and an API key.',
  incidents:
    'Outages. An incident opens and resolves by itself; people acknowledge it, add updates, or ' +
    'resolve it by hand. People may also declare one themselves.',
  'maintenance-windows':
    'Planned work, once or recurring. Meanwhile checks run, but no incident opens, nobody is alerted, ' +
    'and uptime does not count the time.',
  'alert-channels':
    'Where alerts go: chats, phones, on-call platforms, letters and webhooks. A channel can be tested, ' +
    'and its deliveries read and repeated.',
  'alert-deliveries':
    'The messages to all alert channels: what arrived, what waits, and what was given up.',
  'status-pages':
    'Public pages with the state and history of chosen monitors. Readers subscribe to a page by ' +
    'e-mail, webhook or Slack; nobody is subscribed without having confirmed it.',
  'custom-domains':
    'Host names of your own at which status pages are served. A record in the DNS proves that a name ' +
    'is yours.',
  events: 'What happens in an organization, as it happens (server-sent events).',
  uptime: 'The uptime of all monitors of an organization, or of a tag: each of them, and together.',
  orgs:
    'Organizations own monitors, channels and pages. Here they are created, summarized, exported, ' +
    'imported and handed over.',
  members: 'The people of an organization and their roles: viewer, member, admin, owner.',
  invites: 'Invitations to an organization, sent by letter, and their acceptance.',
  'api-keys':
    'Keys with which programs use an organization. Each is shown once, and may do what its role allows: at ' +
    'most what its maker may do now. It ends with its maker, unless an owner adopts it.',
  'audit-log': 'Who did what in an organization. Entries are chained, so that a change shows.',
  auth: 'Accounts, sign-in with a password, sessions, and links by letter.',
  totp: 'The second factor: codes of an authenticator app, and recovery codes.',
  oidc: 'Sign-in through OpenID providers. A browser follows these addresses.',
  'magic-link': 'Sign-in with a link that is sent by letter.',
  user: 'Your own account and your referrals.',
  kyc: 'Verification of identity, where the operator asks for it: submission, review, decision.',
  system: 'The operation of the service, for its administrator: people, quotas, tasks, errors.',
  backups: 'Backups of all data of the service, for its administrator. Commands restore them.',
}

export interface Tag {
  readonly name: string
  readonly description?: string
}

/** The tags that routes have, in the order of the reference. */
export function describedTags(names: ReadonlySet<string>): readonly Tag[] {
  const known = Object.entries(descriptions).filter(([name]) => names.has(name))
  const others = [...names].filter((name) => !Object.hasOwn(descriptions, name))
  return [
    ...known.map(([name, description]) => ({ name, description })),
    ...others.map((name) => ({ name })),
  ]
}
