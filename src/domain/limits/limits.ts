// Every bound of the product, with its unit in its name. Together with limits-access,
// limits-names and limits-probes, no other file holds a literal limit.
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
  /** How many records a filtered page may look at before it hands back what it has. */
  listScanMax: 2_000,
  channelsTidiedMax: 20_000,
  deleteSliceRecords: 500,
  /** Deleted monitors whose history is taken away at the same time. */
  garbageTogether: 5,
  /** Of a deleted organization: each is several records. */
  deleteSliceMonitors: 100,
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
  /**
   * Of them, for one address where nobody else has any: behind one there may be many people, but
   * not most of all. The more are taken, the fewer one may have.
   */
  connectionsPeerShare: 1 / 4,
  /** How old a count of who holds them has to be before there is another. */
  peersCountedMs: 1_000,
  connectionIdleSeconds: 10,
  /** Answers without a body: so many of them are the last on their connection. */
  lastAnswerShare: 1 / 64,
  /** How long it then stays for the caller to hang up. */
  lastAnswerMs: 2_000,
  /** A larger body goes out in pieces, of all of them so many bytes a turn. */
  pieceBytesMax: 64 * 1024,
  turnBytesMax: 512 * 1024,
  /** Of all files that may be open: neither for callers nor for checks. */
  filesKept: 256,
  /** A check that is refused or kept waiting by one address has the next one open beside it. */
  filesPerCheck: 2,
  idempotencyKeyCharsMax: 255,
  /** Of one credential: imports and bulk operations. */
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
  /** A whole monitor: such a body has room in it, also where JSON spells each byte in six. */
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
  /** Certificates of one monitor that were told of: a host may show several in turn. */
  certificatesToldMax: 8,
  tagsMax: 20,
  tagCharsMax: 50,
  descriptionCharsMax: 2_000,
  graceSecondsMax: 31_536_000,
  notifyChannelsMax: 50,

  // Monitors in bulk and by hand
  bulkMonitorsMax: 10_000,
  /** Records looked at for a tag before it is asked whether other work should have its turn. */
  bulkSlice: 100,
  bulkBytesMax: 16 * 1024 * 1024,
  bulkKeysMax: 1_000_000,
  bulkMsMax: 60_000,
  /** Of a change of very many: the ids that one entry of the audit log names. */
  auditIdsMax: 500,
  /** Checks that people ask for: of one monitor, and of one organization, trials included. */
  runsOfMonitor: { quota: 6, windowSeconds: 60 },
  runsOfOrg: { quota: 30, windowSeconds: 60 },
  /** How long beyond its own timeout somebody waits for a check that they asked for. */
  runPatienceMs: 2_000,

  // Checks
  /** What a good check found, as it is shown: a chain of certificates is longer than most answers. */
  foundCharsShownMax: 16 * 1024,
  /** What the newest checks found is kept in memory for so many monitors, and no more characters. */
  foundMonitorsKept: 1_000,
  foundCharsKept: 32 * 1024 * 1024,
  errorMessageCharsMax: 300,
  /** Of all checks at once: kept for organizations that have less than this share of those. */
  gateKeptShare: 1 / 8,
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
  /** Services that a stranger could have do things with the first bytes of an HTTP request. */
  deniedPorts: [
    ...[1433, 2049, 2375, 2376, 2379, 2380, 3306, 4369, 5432, 5672, 5984, 6379, 9042, 9092],
    ...[9200, 9300, 10250, 10255, 11211, 27017, 27018],
  ],
  addressesPerNameMax: 8,
  /** A clock that was set by more is not the one that certificates were valid by. */
  clockSetMs: 60 * 60_000,
  /** How long a sentinel has to answer. */
  sentinelMs: 2_000,
  /** How many that have once answered are remembered over a restart. */
  sentinelsRemembered: 50,
  /** Looks at the sentinels: at leisure, and while our network is lost. */
  observerIdleMs: 60_000,
  observerLostMs: 5_000,
  /** A look at the sentinels answers for so long whoever asks. */
  observerMemoMs: 1_000,
  observerGoodLooks: 2,
  /** From the start on, how long failed look-ups count for nothing while none has been answered. */
  namesUnheardMs: 3 * 60_000,
  /** Good checks in so many networks between two looks outweigh silent sentinels. */
  observerProofNetworks: 3,
  /** In how much time those are checked anew whose failures were not believed. */
  observerRecheckMs: 30_000,
  /** From when on silent sentinels are likelier wrong than right: the operator is told. */
  observerLongMs: 3_600_000,
  observerNoticeMs: 15 * 60_000,
  adminsToldMax: 20,
  /** A push report that is due while we cannot be reached is waited for so much longer. */
  pushHeldMs: 60_000,
  /** A check that could not be made is made anew after this, where its interval is longer. */
  unseenRetryMs: 300_000,
  /** How long one address may take to connect before the next is tried beside it (RFC 8305). */
  connectAttemptMs: 250,
  regexRepeatsMax: 1_000,
  /** Of one that a JSON document brings along. */
  foreignRegexCharsMax: 64,
  regexProgramMax: 2_000,
  /** Characters that one assertion looks through, with what is dear in its pattern. */
  searchStepsMax: 250_000,
  /** Places in it that one search comes to while it makes its automaton. */
  regexPlacesMax: 60_000,
  /** Bytes of the automaton that are kept for the next search. */
  regexKeptBytesMax: 64 * 1024,
  /** A document of so many characters may cost a whole budget; a larger one more, in proportion. */
  smallDocumentChars: 64 * 1024,
  /** Elements, attributes and pieces of text in an XML or HTML document, and how deep they nest. */
  markupNodesMax: 100_000,
  /** The same in a small document, which takes one turn to read. */
  markupNodesSmallMax: 15_000,
  markupDepthMax: 512,
  /** Nodes of it that one CSS selector may look at, repeats included. */
  selectorStepsMax: 80_000,
  /** Nodes of a JSON document that one JSONPath may look at, repeats included. */
  jsonPathStepsMax: 120_000,
  /** The same in a large document: listing an object of 60,000 keys is most of it. */
  jsonPathStepsLargeMax: 600_000,
  /** Levels of a value that is searched or quoted as text. */
  jsonShownDepthMax: 256,
  foundCharsMax: 200,
  quotedCharsMax: 80,
  compiledPatternsMax: 500,
  /** How long before its deadline a check ends by itself, to say what it saw until then. */
  checkVerdictMs: 100,

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
