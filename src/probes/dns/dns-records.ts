// DNS records, queried through c-ares and normalized: one shape and one order for each type.
import type { Resolver as CaresResolver } from 'node:dns/promises'

export const recordTypes = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'NS',
  'TXT',
  'SOA',
  'SRV',
  'CAA',
  'PTR',
] as const
export type RecordType = (typeof recordTypes)[number]

/** A record with several fields; `text` has them in the order of a zone file. */
type FieldsRecord = { readonly text: string } & Readonly<Record<string, string | number>>

/** A record with one field is a plain text, one with several an object. */
type DnsRecord = string | FieldsRecord

export interface Records {
  /** The records are sorted by text, so that equal responses are identical; at most 200. */
  readonly records: readonly DnsRecord[]
  /** Seconds; c-ares reports it only for addresses. */
  readonly ttl?: number
}

/** Queries once. Rejects with the c-ares code if there is no such record. */
export async function askRecords(
  channel: CaresResolver,
  type: RecordType,
  name: string,
): Promise<Records> {
  if (type !== 'A' && type !== 'AAAA') return { records: inOrder(await ask(channel, type, name)) }
  const ttl = { ttl: true } as const
  const found = await (type === 'A' ? channel.resolve4(name, ttl) : channel.resolve6(name, ttl))
  return {
    records: inOrder(found.map((record) => record.address)),
    ttl: Math.min(...found.map((record) => record.ttl)),
  }
}

async function ask(
  channel: CaresResolver,
  type: Exclude<RecordType, 'A' | 'AAAA'>,
  name: string,
): Promise<DnsRecord[]> {
  switch (type) {
    case 'CNAME':
      return (await channel.resolveCname(name)).map(plain)
    case 'NS':
      return (await channel.resolveNs(name)).map(plain)
    case 'PTR':
      return (await channel.resolvePtr(name)).map(plain)
    case 'TXT':
      // DNS sends a long text in pieces of at most 255 bytes; where it is cut has no meaning.
      return (await channel.resolveTxt(name)).map((pieces) => pieces.join(''))
    case 'MX':
      return (await channel.resolveMx(name)).map(({ priority, exchange }) =>
        fields({ priority, exchange: plain(exchange) }),
      )
    case 'SRV':
      return (await channel.resolveSrv(name)).map(({ priority, weight, port, name: target }) =>
        fields({ priority, weight, port, target: plain(target) }),
      )
    case 'SOA': {
      const soa = await channel.resolveSoa(name)
      const primary = plain(soa.nsname)
      const hostmaster = plain(soa.hostmaster)
      const { serial, refresh, retry, expire, minttl } = soa
      return [fields({ primary, hostmaster, serial, refresh, retry, expire, minimumTtl: minttl })]
    }
    case 'CAA':
      return (await channel.resolveCaa(name)).map(({ critical, ...property }) => {
        const [tag = '', value = ''] =
          Object.entries(property).find(([key]) => key !== 'type') ?? []
        return fields({ critical, tag, value: String(value) })
      })
  }
}

/** The name is in lower case, because case does not count; the empty name of the root becomes a dot. */
function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, '') || '.'
}

function fields(values: Readonly<Record<string, string | number>>): FieldsRecord {
  return { text: Object.values(values).join(' '), ...values }
}

/** Records of an answer to a DNS monitor. */
const dnsRecordsMax = 200

function inOrder(records: readonly DnsRecord[]): readonly DnsRecord[] {
  const textOf = (record: DnsRecord) => (typeof record === 'string' ? record : record.text)
  return [...records]
    .sort((a, b) => (textOf(a) < textOf(b) ? -1 : Number(textOf(a) > textOf(b))))
    .slice(0, dnsRecordsMax)
}
