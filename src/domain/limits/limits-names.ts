// The bounds of names: how they are looked up and cached, and who registered them. `limits` holds
// them all.

export const nameLimits = {
  /** Of a look-up: two tries. */
  dnsTimeoutMsMax: 4_000,
  dnsCacheMsMax: 60_000,
  dnsNegativeCacheMs: 5_000,
  /** That nobody answers is kept so long at first, then ever longer, up to this. */
  dnsSilenceCacheMsMax: 60_000,
  dnsCacheEntriesMax: 10_000,
  /**
   * Look-ups that may be under way, each two questions: of names that answered before, of new ones
   * that will, of others, and of those that likely stay silent. Together they are fewer than a
   * small forwarder bears (dnsmasq: 150 questions).
   */
  dnsKnownAsksMin: 28,
  dnsLikelyAsksMin: 18,
  dnsNewAsksMax: 10,
  dnsDoubtfulAsksMax: 10,
  /**
   * What the first two may become while all are answered. A socket holds fewer than 280 questions
   * while nobody reads: what comes on top is lost.
   */
  dnsKnownAsksMax: 64,
  dnsLikelyAsksMax: 44,
  /** Of each of these: kept for who has less than the share of what is free. */
  dnsAsksKeptRatio: 0.45,
  dnsAsksKeptShare: 1 / 4,
  /** How long a forwarder is still busy with a question that we no longer wait for. */
  dnsForwarderMs: 11_000,
  /** What takes so long keeps name servers as busy as what is never answered. */
  dnsLateMs: 1_000,
  /** How long a name that is answered again is doubtful: at first, and at most. */
  dnsDoubtMs: 60_000,
  dnsDoubtMsMax: 3_600_000,
  /** Silent names of an organization that make its new ones doubtful; where none answered, one. */
  dnsSilentNamesMax: 4,
  /** Of an organization's names: while no more are silent, its new ones are likely to answer. */
  dnsSilentRatio: 1 / 50,
  /** How long a look-up waits for its turn. */
  dnsWaitMsMax: 5_000,
  /** The same, of the time that its check has left. */
  dnsPatienceShare: 0.9,
  /** Where the first try with a server that was quick so far got little time. */
  dnsTriesAgainMax: 2,
  /** How long late questions share a channel that has no memories yet. */
  dnsPatientMs: 1_000,
  /** Of one family, in one answer. */
  dnsAddressesMax: 32,
  /** How often the files that name name servers and hosts are looked at. */
  dnsFilesMs: 5_000,
  /** Of one answer to a DNS monitor. */
  dnsRecordsMax: 200,
  /** How long a name server has for the first try: for that of a DNS monitor, and at most. */
  dnsTryMsMin: 250,
  dnsTryMsMax: 2_000,
  /** What is known of a domain's registration, and its registry asked no sooner again. */
  rdapKeptMs: 6 * 3_600_000,
  /** The same where it is bad news, which may be over. */
  rdapBadNewsKeptMs: 3_600_000,
  /** The same where there is no such domain, or no answer. */
  rdapNoneKeptMs: 15 * 60_000,
  /** An old answer stands in for a registry that gives none, for at most so long. */
  rdapStaleMsMax: 48 * 3_600_000,
  rdapTimeoutMs: 20_000,
  /** How much of its time a check waits for a registry: the rest is for saying that it is slow. */
  rdapWaitRatio: 0.9,
  rdapBytesMax: 256 * 1024,
  rdapRedirectsMax: 3,
  rdapDomainsRemembered: 20_000,
  /** Questions under way: to all registries, and to one. */
  rdapAsksMax: 16,
  rdapAsksPerRegistryMax: 4,
  /** How long a registry that says "too many" is left alone, where it does not say so itself. */
  rdapPauseMs: 60_000,
  rdapPauseMsMax: 3_600_000,
  rdapListItemsMax: 20,
  rdapTextCharsMax: 200,
  /** How often the list of registries is fetched. */
  rdapBootstrapMs: 86_400_000,
  /** How long the IPv4 answer of a name server waits for the IPv6 one (RFC 8305 resolution delay). */
  dnsGraceMs: 100,
} as const
