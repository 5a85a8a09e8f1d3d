// Every bound of the product, with its unit in its name. Literal limits exist only here and in
// limits-access, limits-names and limits-probes.
import { accessLimits } from './limits-access.ts'
import { nameLimits } from './limits-names.ts'
import { probeLimits } from './limits-probes.ts'

export const limits = {
  ...accessLimits,
  ...nameLimits,
  ...probeLimits,

  // Bodies and paging
  bodyBytesMax: 64 * 1024,
  pushBodyBytesMax: 16 * 1024,
  pageItemsDefault: 50,
  pageItemsMax: 200,
  /** Records that a filtered page reads before it returns what it has. */
  listScanMax: 2_000,
  channelsTidiedMax: 20_000,
  deleteSliceRecords: 500,
  /** Deleted monitors whose history is removed at the same time. */
  tombstonesTogether: 5,
  /** For a deleted organization; each monitor has several records. */
  deleteSliceMonitors: 100,
  jsonDepthMax: 32,
  jsonKeysMax: 2_000,
  fieldProblemsMax: 100,
  cursorCharsMax: 512,
  /** Decoded records of one table that are cached because they are read again and again. */
  recalledRecordsMax: 5_000,
  /** The same as stored bytes; the decoded records take about twice that. */
  recalledBytesMax: 8 * 1024 * 1024,

  // Requests
  requestMsMax: 30_000,
  requestIdCharsMin: 8,
  requestIdCharsMax: 64,
  rateKeysMax: 100_000,
  connectionsMax: 20_000,
  /**
   * The share of connections for one address if no other has any: it may serve many people, but
   * must not take most. The more are taken, the fewer one address may have.
   */
  connectionsPeerShare: 1 / 4,
  /** The age at which the count of connections per address is renewed. */
  peersCountedMs: 1_000,
  connectionIdleSeconds: 10,
  /** After this many bodiless responses to one address in a window, one closes its connection. */
  bodilessAnswers: { quota: 128, windowSeconds: 10 },
  /** How long the connection then stays open for the caller to close it. */
  lastAnswerMs: 2_000,
  /** Larger bodies, such as long lists, together send at most `turnBytesMax` per event loop turn. */
  smallBodyBytesMax: 64 * 1024,
  turnBytesMax: 4 * 1024 * 1024,
  /** A body is sent in pieces of this size. */
  pieceBytesMax: 256 * 1024,
  /** Open files reserved for other purposes than callers and checks. */
  filesKept: 256,
  /** If one address refuses or delays a check, it opens the next one in parallel. */
  filesPerCheck: 2,
  idempotencyKeyCharsMax: 255,
  /** Imports and bulk operations, per credential. */
  bulkRequests: { quota: 20, windowSeconds: 60 },
  replayMs: 24 * 3_600_000,
  retryAfterSeconds: 10,

  // Monitors
  nameCharsMax: 120,
  urlCharsMax: 2_048,
  headersMax: 50,
  headerNameCharsMax: 64,
  headerValueCharsMax: 1_024,
  requestBodyBytesMax: 64 * 1024,
  /** The body of a whole monitor, even if JSON escapes each byte with six characters. */
  monitorBytesMax: 512 * 1024,
  bodyContainsCharsMax: 1_024,
  assertionPathCharsMax: 256,
  assertionValueCharsMax: 1_024,
  regexCharsMax: 512,
  acceptedStatusesMax: 20,
  assertionsMax: 20,
  intervalSecondsMin: 10,
  intervalSecondsMax: 86_400,
  intervalMinutesMax: 1_440,
  timeoutMsMin: 100,
  timeoutMsMax: 60_000,
  degradedThresholdMsMax: 60_000,
  thresholdMax: 10,
  retryIntervalSecondsMin: 5,
  redirectsMax: 20,
  certificateWarningsMax: 10,
  certificateWarnDaysMax: 365,
  /** Announced certificates per monitor: a host may show several in turn. */
  certificatesToldMax: 8,
  tagsMax: 20,
  tagCharsMax: 50,
  descriptionCharsMax: 2_000,
  graceSecondsMax: 31_536_000,
  notifyChannelsMax: 50,

  // Bulk and manual operations on monitors
  bulkMonitorsMax: 10_000,
  /** Records examined for a tag before the loop may yield. */
  bulkSlice: 100,
  bulkBytesMax: 16 * 1024 * 1024,
  bulkKeysMax: 1_000_000,
  bulkMsMax: 60_000,
  /** For a change of many monitors: the ids in one entry of the audit log. */
  auditIdsMax: 500,
  /** Manual checks: of one monitor, and of one organization, trials included. */
  runsOfMonitor: { quota: 6, windowSeconds: 60 },
  runsOfOrg: { quota: 30, windowSeconds: 60 },
  /** How long a person waits for a manual check beyond its own timeout. */
  runPatienceMs: 2_000,

  // Checks
  /** Findings of a good check, as shown: a certificate chain is longer than most answers. */
  foundCharsShownMax: 16 * 1024,
  /** Findings of new checks kept in memory: for this many monitors, up to this many characters. */
  foundMonitorsKept: 1_000,
  foundCharsKept: 32 * 1024 * 1024,
  errorMessageCharsMax: 300,
  /** The share of all slots reserved for organizations with less than it of the free ones. */
  gateKeptShare: 1 / 8,
  fleetLoadSlice: 500,
  /** Monitors whose old results are deleted in one transaction. */
  janitorSlice: 100,
  checksKeptDays: 30,
  janitorMs: 3_600_000,
  heartbeatMs: 10_000,
  httpDrainMs: 12_000,
  /** Results in a monitor's state before they are moved to a block of their own. */
  checkRowsPerBlock: 64,
  /** A crashed actor restarts after this, doubled each time; then it is suspended. */
  actorRestartMs: 5_000,
  actorCrashesMax: 5,
  drainPollMs: 20,
  /** Ports of services that the first bytes of an HTTP request could control. */
  deniedPorts: [
    ...[1433, 2049, 2375, 2376, 2379, 2380, 3306, 4369, 5432, 5672, 5984, 6379, 9042, 9092],
    ...[9200, 9300, 10250, 10255, 11211, 27017, 27018],
  ],
  addressesPerNameMax: 8,
  /** Certificate times were judged by another clock if the clock was set by more than this. */
  clockSetMs: 60 * 60_000,
  /** How long a sentinel has to answer. */
  sentinelMs: 2_000,
  /** Sentinels that answered once and are remembered over a restart. */
  sentinelsRemembered: 50,
  /** Interval of sentinel checks: normally, and while our network is lost. */
  observerIdleMs: 60_000,
  observerLostMs: 5_000,
  /** How long the result of a sentinel check is reused. */
  observerMemoMs: 1_000,
  observerGoodLooks: 2,
  /** How long after the start failed look-ups are ignored while none was answered. */
  namesUnheardMs: 3 * 60_000,
  /** Good checks in this many networks between two sentinel checks outweigh silent sentinels. */
  observerProofNetworks: 3,
  /** The time over which checks with ignored failures are repeated. */
  observerRecheckMs: 30_000,
  /** When silent sentinels are more likely wrong than right: the operator is notified. */
  observerLongMs: 3_600_000,
  observerNoticeMs: 15 * 60_000,
  adminsToldMax: 20,
  /** The extra wait for a push report that is due while we cannot be reached. */
  pushHeldMs: 60_000,
  /** The retry of a check that could not be made, if its interval is longer. */
  unseenRetryMs: 300_000,
  /** How long one address may take to connect before the next is tried in parallel (RFC 8305). */
  connectAttemptMs: 250,
  regexRepeatsMax: 1_000,
  /** A regular expression that comes from a JSON document. */
  foreignRegexCharsMax: 64,
  regexProgramMax: 2_000,
  /** Characters that one assertion may search, plus the cost of its pattern. */
  searchStepsMax: 250_000,
  /** Positions in a pattern that one search visits while it builds its automaton. */
  regexPlacesMax: 60_000,
  /** Bytes of the automaton that are kept for the next search. */
  regexKeptBytesMax: 64 * 1024,
  /** A document of this size may use a whole budget; a larger one proportionally more. */
  smallDocumentChars: 64 * 1024,
  /** Elements, attributes and texts in an XML or HTML document, and how deep they nest. */
  markupNodesMax: 100_000,
  /** The same in a small document, which is read in one turn of the event loop. */
  markupNodesSmallMax: 15_000,
  markupDepthMax: 512,
  /** Nodes of a document that one CSS selector may visit, repeats included. */
  selectorStepsMax: 80_000,
  /** Nodes of a JSON document that one JSONPath may visit, repeats included. */
  jsonPathStepsMax: 120_000,
  /** The same in a large document: most of it for listing an object of 60,000 keys. */
  jsonPathStepsLargeMax: 600_000,
  /** Levels of a value that is searched or quoted as text. */
  jsonShownDepthMax: 256,
  foundCharsMax: 200,
  quotedCharsMax: 80,
  compiledPatternsMax: 500,
  /** How long before its deadline a check ends by itself, to report what it has seen. */
  checkVerdictMs: 100,

  // Push
  pushMessageCharsMax: 1_024,
  pushTokensRemembered: 100_000,
  pushDurationMsMax: 31_536_000_000,
  hoursKept: 2 * 366 * 24,

  // Incidents
  titleCharsMax: 200,
  timelineEntriesMax: 500,
  /** All entries together, because lists and pages read many incidents at once. */
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
  /** Openings merged into one digest, and how many of them it lists. */
  digestFoldsMax: 2_000,
  digestItemsMax: 100,
  /** Pending messages that are considered when choosing the next one. */
  deliveriesPerLookMax: 50,
  /** Finished deliveries removed in one transaction. */
  deliveriesTrimmedMax: 1_000,
  bodyTemplateCharsMax: 16 * 1024,
  webhookSecretCharsMax: 128,
  /** How long shutdown waits for messages in progress. */
  deliveryDrainMs: 10_000,
  delayMinutesMax: 1_440,
  /** Per channel. */
  channelTests: { quota: 6, windowSeconds: 60 },

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
  /** A single span longer than this (after the clock jumped by years) is cut to its newest part. */
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
