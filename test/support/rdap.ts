// What a registry answers, with a default for everything.

export interface RdapFields {
  readonly name?: string
  readonly expiresAt?: string | null
  readonly status?: readonly unknown[]
  readonly more?: Readonly<Record<string, unknown>>
}

/** A domain in the form of RFC 9083. */
export function rdapDomain({
  name = 'example.test',
  expiresAt = '2027-01-01T00:00:00Z',
  status = ['active', 'client transfer prohibited'],
  more = {},
}: RdapFields = {}): Record<string, unknown> {
  const events = [
    { eventAction: 'registration', eventDate: '2001-02-03T04:05:06Z' },
    { eventAction: 'last changed', eventDate: '2025-06-07T08:09:10Z' },
    { eventAction: 'last update of RDAP database', eventDate: '2026-01-01T00:00:00Z' },
    ...(expiresAt === null ? [] : [{ eventAction: 'expiration', eventDate: expiresAt }]),
  ]
  const vcard = [
    'vcard',
    [
      ['version', {}, 'text', '4.0'],
      ['fn', {}, 'text', 'Some Registrar Ltd'],
    ],
  ]
  return {
    objectClassName: 'domain',
    ldhName: name.toUpperCase(),
    status,
    events,
    nameservers: [
      { objectClassName: 'nameserver', ldhName: 'NS2.EXAMPLE.TEST' },
      { objectClassName: 'nameserver', ldhName: 'ns1.example.test.' },
    ],
    entities: [
      { objectClassName: 'entity', roles: ['abuse'], vcardArray: ['vcard', []] },
      { objectClassName: 'entity', roles: ['registrar'], vcardArray: vcard },
    ],
    secureDNS: { delegationSigned: true },
    ...more,
  }
}

/** A list of registries in the form of RFC 9224. */
export function rdapList(services: Readonly<Record<string, string>>, publication = '2026-01-01') {
  return {
    publication,
    services: Object.entries(services).map(([suffix, base]) => [[suffix], [base]]),
  }
}
