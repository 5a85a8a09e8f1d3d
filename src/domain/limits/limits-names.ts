// Bounds for names: look-ups, caches and registrations. `limits` includes them all.

export const nameLimits = {
  /** Per look-up, which has two tries. */
  dnsTimeoutMsMax: 4_000,
  dnsCacheMsMax: 60_000,
  dnsNegativeCacheMs: 5_000,
  /** The longest time that a name without an answer is cached; it grows up to this. */
  dnsSilenceCacheMsMax: 60_000,
  dnsCacheEntriesMax: 10_000,
  /**
   * Look-ups in progress, of two queries each: for names that answered the last time, for new names
   * that probably will, and for other names. Together they are fewer than a small forwarder
   * supports (dnsmasq: 150 queries).
   */
  dnsKnownLookupsMax: 32,
  dnsLikelyLookupsMax: 18,
  dnsDoubtfulLookupsMax: 16,
  /** The part of each reserved for organizations with less than this share of the free ones. */
  dnsKeptRatio: 0.45,
  dnsKeptShare: 1 / 4,
  /** How long a forwarder stays busy with a query that we no longer wait for. */
  dnsForwarderMs: 11_000,
  /** A query that takes this long occupies name servers as much as one without an answer. */
  dnsLateMs: 1_000,
  /** How long a name that answers again stays doubtful. */
  dnsDoubtMs: 10 * 60_000,
  /** A name that was not looked up for this long says nothing about its organization. */
  dnsUnusedMsMax: 3_600_000,
  /** The share of silent names up to which an organization's new names probably answer. */
  dnsSilentRatio: 1 / 50,
  /** How long a look-up waits for its permit. */
  dnsWaitMsMax: 5_000,
  /** The same as a share of the remaining time of its check. */
  dnsWaitShare: 0.9,
  /** Further tries if the first try with a formerly fast server had little time. */
  dnsTriesAgainMax: 2,
  /** How long late queries share a channel without history. */
  dnsFreshChannelMs: 1_000,
  /** Per address family and answer. */
  dnsAddressesMax: 32,
  /** How often the files that configure name servers and hosts are read. */
  dnsFilesMs: 5_000,
  /** Per answer to a DNS monitor. */
  dnsRecordsMax: 200,
  /** How long a name server has for the first try: for DNS monitors, and at most. */
  dnsTryMsMin: 250,
  dnsTryMsMax: 2_000,
  /** How long a domain's registration is cached before its registry is queried again. */
  rdapKeptMs: 6 * 3_600_000,
  /** The same for bad news, which may end soon. */
  rdapBadNewsKeptMs: 3_600_000,
  /** The same if the domain does not exist or there was no answer. */
  rdapNoneKeptMs: 15 * 60_000,
  /** The maximum age of an answer that replaces a missing one. */
  rdapStaleMsMax: 48 * 3_600_000,
  rdapTimeoutMs: 20_000,
  /** The share of its time that a check waits for a registry; the rest is for reporting it. */
  rdapWaitRatio: 0.9,
  rdapBytesMax: 256 * 1024,
  rdapRedirectsMax: 3,
  rdapDomainsRemembered: 20_000,
  /** Queries in progress: to all registries, and to one. */
  rdapAsksMax: 16,
  rdapAsksPerRegistryMax: 4,
  /** How long to pause queries to a registry that answers "too many requests" without a time. */
  rdapPauseMs: 60_000,
  rdapPauseMsMax: 3_600_000,
  rdapListItemsMax: 20,
  rdapTextCharsMax: 200,
  /** How often the list of registries is fetched. */
  rdapBootstrapMs: 86_400_000,
  /** How long a name server's IPv4 answer waits for the IPv6 one (RFC 8305 resolution delay). */
  dnsGraceMs: 100,
} as const
