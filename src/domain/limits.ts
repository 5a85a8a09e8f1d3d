// Every bound of the product, with its unit in its name. No other file holds a literal limit.

export const limits = {
  // Bodies and paging
  bodyBytesMax: 64 * 1024,
  pushBodyBytesMax: 16 * 1024,
  pageItemsDefault: 50,
  pageItemsMax: 200,
  /** How many records a filtered page may look at before it hands back what it has. */
  listScanMax: 2_000,
  channelsTidiedMax: 20_000,
  deleteSliceRecords: 500,
  jsonDepthMax: 32,
  jsonKeysMax: 2_000,
  fieldProblemsMax: 100,
  cursorCharsMax: 512,

  // Requests
  requestMsMax: 30_000,
  requestIdCharsMin: 8,
  requestIdCharsMax: 64,
  rateKeysMax: 100_000,
  connectionsMax: 20_000,
  idempotencyKeyCharsMax: 255,
  replayMs: 24 * 3_600_000,
  retryAfterSeconds: 10,

  // Monitors
  nameCharsMax: 120,
  urlCharsMax: 2_048,
  headersMax: 50,
  headerNameCharsMax: 64,
  headerValueCharsMax: 1_024,
  requestBodyCharsMax: 64 * 1024,
  bodyContainsCharsMax: 1_024,
  assertionPathCharsMax: 256,
  assertionValueCharsMax: 1_024,
  regexCharsMax: 512,
  acceptedStatusesMax: 20,
  intervalSecondsMin: 10,
  intervalSecondsMax: 86_400,
  intervalMinutesMax: 1_440,
  timeoutMsMin: 100,
  timeoutMsMax: 60_000,
  degradedThresholdMsMax: 60_000,
  thresholdMax: 10,
  retryIntervalSecondsMin: 5,
  redirectsMax: 20,
  tagsMax: 20,
  tagCharsMax: 50,
  descriptionCharsMax: 2_000,
  graceSecondsMax: 31_536_000,
  notifyChannelsMax: 50,

  // Checks
  responseHeaderBytesMax: 16 * 1024,
  responseBodyBytesMax: 1024 * 1024,
  evidenceBodyBytesMax: 2 * 1024,
  evidenceHeadersMax: 40,
  evidenceHeaderValueCharsMax: 512,
  errorMessageCharsMax: 300,
  fleetLoadSlice: 500,
  /** Monitors whose old results go in one transaction. */
  janitorSlice: 100,
  checksKeptDays: 30,
  janitorMs: 3_600_000,
  heartbeatMs: 10_000,
  httpDrainMs: 12_000,
  /** Results that a standing holds before they become a block of their own. */
  checkRowsPerBlock: 64,
  /** An actor that crashed starts anew after this, doubled each time; then it is suspended. */
  actorRestartMs: 5_000,
  actorCrashesMax: 5,
  drainPollMs: 20,
  dnsTimeoutMsMax: 5_000,
  dnsCacheMsMax: 60_000,
  dnsNegativeCacheMs: 5_000,
  dnsCacheEntriesMax: 10_000,
  addressesPerNameMax: 8,
  /** How long one address may take to connect before the next is tried beside it (RFC 8305). */
  connectAttemptMs: 250,
  regexRepeatsMax: 1_000,
  regexProgramMax: 2_000,
  /** Instructions of the compiled pattern times characters of the text. */
  regexStepsMax: 40_000_000,
  /** Nodes of a JSON document that one JSONPath may look at, repeats included. */
  jsonPathStepsMax: 200_000,
  foundCharsMax: 200,
  quotedCharsMax: 80,
  compiledPatternsMax: 500,
  /** How long the IPv4 answer of a name server waits for the IPv6 one (RFC 8305 resolution delay). */
  dnsGraceMs: 100,

  // Push
  pushMessageCharsMax: 1_024,
  pushTokensRemembered: 100_000,
  pushDurationMsMax: 31_536_000_000,
  hoursKept: 2 * 366 * 24,

  // Incidents
  titleCharsMax: 200,
  timelineEntriesMax: 500,
  /** Of all entries together: lists and pages read many incidents at once. */
  timelineCharsMax: 32 * 1024,
  incidentMessageCharsMax: 4_000,
  /** Results remembered for "N of the last N + 2": thresholdMax + 2. */
  recentResultsMax: 12,
  flappingTurns: 4,
  flappingWindowMs: 60 * 60_000,
  flappingQuietMs: 30 * 60_000,
  reopenWithinMs: 5 * 60_000,

  // Channels and deliveries
  channelHeadersMax: 20,
  deliveryTimeoutMs: 20_000,
  deliveryAgeMsMax: 24 * 3_600_000,
  /** Waits before the second, third, … attempt; the last one repeats. */
  deliveryWaitsMs: [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000],
  deliveryJitterRatio: 0.2,
  payloadMonitorsMax: 10,
  payloadUrlCharsMax: 512,
  deliveriesKeptDays: 30,
  deliveryResponseCharsMax: 1_024,
  deliveriesInFlightMax: 64,
  stormOpeningsMax: 10,
  stormWindowMs: 60_000,
  /** How long the first digest of a storm waits for more openings. */
  stormGatherMs: 5_000,
  /** Openings folded into one digest, and how many of them it lists. */
  digestFoldsMax: 2_000,
  digestItemsMax: 100,
  /** Owed messages looked at to choose the next one. */
  deliveriesPerLookMax: 50,
  /** Finished deliveries removed in one transaction. */
  deliveriesTrimmedMax: 1_000,
  bodyTemplateCharsMax: 16 * 1024,
  webhookSecretCharsMax: 128,
  /** How long a stop waits for messages that are under way. */
  deliveryDrainMs: 10_000,
  delayMinutesMax: 1_440,
  /** Of one channel. */
  channelTests: { quota: 6, windowSeconds: 60 },

  // Quotas for each organization
  monitorsPerOrgMax: 100_000,
  channelsPerOrgMax: 50,
  pagesPerOrgMax: 20,
  /** No quota can be set beyond this, for what is counted one by one. */
  quotaMax: 10_000,
  organizationsPerUserMax: 20,
  sessionsPerUserMax: 20,

  // People
  emailCharsMax: 254,
  passwordCharsMin: 12,
  passwordCharsMax: 128,
  sessionMsMax: 30 * 86_400_000,
  sessionIdleMsMax: 7 * 86_400_000,
  sudoMs: 15 * 60_000,
  lastSeenStepMs: 5 * 60_000,
  userAgentCharsMax: 256,
  // Each hash takes 46 MiB and a thread that the disk needs as well.
  passwordHashesMax: 2,
  passwordHashesQueuedMax: 50,
  passwordRetryAfterSeconds: 5,
  keyLastUsedStepMs: 60_000,
  setupTokenCharsMax: 256,
  linkMs: {
    'sign-in': 10 * 60_000,
    'password-reset': 60 * 60_000,
    'email-verify': 24 * 3_600_000,
    'email-change': 24 * 3_600_000,
  },
  linkTokenCharsMax: 128,
  inviteMs: 7 * 86_400_000,
  letterSubjectCharsMax: 200,
  letterKeptMs: 7 * 86_400_000,
  auditKeptDays: 400,

  // Status pages
  slugCharsMax: 63,
  pageTitleCharsMax: 200,
  pageDescriptionCharsMax: 2_000,
  pageMonitorsMax: 500,
  historyDays: 90,
  subdomainTextCharsMax: 253,
  publicIncidentDays: 15,
  publicIncidentsScanned: 200,
  publicUpdatesMax: 20,
  publicDownDaysMax: 7,
  pageMetaCharsMax: 200,
  pageFreshMsMin: 1_000,
  pageFreshMsMax: 2_000,
  pageCacheBytesMax: 64 * 1024 * 1024,
  pagesCachedMax: 2_000,
  dayMemoryMonitorsMax: 2_000,
  subdomainQuarantineMs: 30 * 86_400_000,
  /** A single span longer than this (a clock that stepped by years) is cut to its newest part. */
  spanDaysMax: 400,

  // The process and its disk
  stopMsMax: 30_000,
  controlLineBytesMax: 64 * 1024,
  controlTimeoutMs: 1_000,
  spaceCheckMs: 5_000,
  spaceBytesLow: 512 * 1024 * 1024,
  spaceShareLow: 0.05,
  spaceBytesFull: 128 * 1024 * 1024,
} as const
