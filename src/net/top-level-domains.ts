// Top-level domains that exist: those of IANA's list of RDAP services (RFC 9224), as shipped.
import shipped from './iana-rdap-dns.json' with { type: 'json' }

/** In ASCII and lower case. */
export function topLevelDomains(): readonly string[] {
  return shipped.services.flatMap(([suffixes = []]) => suffixes.filter((one) => !one.includes('.')))
}
