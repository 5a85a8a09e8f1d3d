// Every bound of the product, with its unit in its name. Literal limits exist only here.

export const limits = {
  // Bodies and paging
  bodyBytesMax: 64 * 1024,
  pageItemsMax: 200,
  /** Records that a filtered page reads before it returns what it has. */
  listScanMax: 2_000,
  deleteSliceRecords: 500,
  jsonDepthMax: 32,
  /** Larger bodies are parsed in slices of about this size. */
  jsonSliceBytes: 256 * 1024,
  jsonKeysMax: 2_000,
  fieldProblemsMax: 100,

  // Requests
  requestMsMax: 30_000,
  rateKeysMax: 100_000,
  connectionsMax: 20_000,
  /** Certificates that are ready for a handshake; each takes about 50 KB. */
  tlsContextsMax: 500,
  /** Files of a connection: one of the caller, two of the socket that it is passed on through. */
  filesPerTlsConnection: 3,
  /**
   * What larger bodies than `bytesMin` may take together while they arrive and are worked on, and the
   * share of it, as far as others leave it free, for one organization.
   */
  largeBodies: { bytesMin: 256 * 1024, bytesMax: 256 * 1024 * 1024, share: 1 / 4 },
  /** Larger bodies, such as long lists, together send at most `turnBytesMax` per event loop turn. */
  smallBodyBytesMax: 64 * 1024,
  idempotencyKeyCharsMax: 255,
  retryAfterSeconds: 10,

  // Monitors
  nameCharsMax: 120,
  urlCharsMax: 2_048,
  headersMax: 50,
  headerNameCharsMax: 64,
  headerValueCharsMax: 1_024,
  requestBodyBytesMax: 64 * 1024,
  assertionPathCharsMax: 256,
  acceptedStatusesMax: 20,
  assertionsMax: 20,
  intervalSecondsMin: 10,
  intervalSecondsMax: 86_400,
  timeoutMsMin: 100,
  timeoutMsMax: 60_000,
  degradedThresholdMsMax: 60_000,
  thresholdMax: 10,
  retryIntervalSecondsMin: 5,
  redirectsMax: 20,
  caCertificatesBytesMax: 32 * 1024,
  caCertificatesMax: 10,
  certificateWarningsMax: 10,
  certificateWarnDaysMax: 365,
  tagsMax: 20,
  tagCharsMax: 50,
  descriptionCharsMax: 2_000,
  graceSecondsMax: 31_536_000,
  notifyChannelsMax: 50,

  // Bulk and manual operations on monitors
  bulkMonitorsMax: 10_000,
  /** Records examined for a tag before the loop may yield. */
  bulkSlice: 100,
  /** Manual checks: of one monitor, and of one organization, trials included. */
  runsOfMonitor: { quota: 6, windowSeconds: 60 },
  runsOfOrg: { quota: 30, windowSeconds: 60 },
  /** How long a person waits for a manual check beyond its own timeout. */
  runWaitMsMax: 2_000,
  /** Simulations with other thresholds: of one organization, and those that wait for others. */
  simulationsOfOrg: { quota: 30, windowSeconds: 60 },
  simulatedAlertsShown: 20,
  /** Incidents in a monthly report, and those that are looked through for it. */
  reportIncidentsMax: 1_000,

  // Checks
  /** Findings of a good check, as shown: a certificate chain is longer than most answers. */
  foundCharsShownMax: 16 * 1024,
  errorMessageCharsMax: 300,
  /** Monitors whose old results are deleted in one transaction. */
  janitorSlice: 100,
  checksKeptDays: 30,
  /** The points of a chart of response times, and what it reads at most for them. */
  chartPointsMax: 500,
  /** How long the uptime of many monitors is read before the loop yields. */
  historySliceMs: 10,
  /** How long the uptime of all monitors together is reused, and of how many questions. */
  uptimeTotalFreshMs: 10_000,
  /** Rows that the latencies of a finished hour are made of. */
  rollupRowsMax: 50_000,
  /** A crashed actor restarts after this, doubled each time; then it is suspended. */
  actorRestartMs: 5_000,
  actorCrashesMax: 5,
  /** Ports of services that the first bytes of an HTTP request could control. */
  deniedPorts: [
    ...[1433, 2049, 2375, 2376, 2379, 2380, 3306, 4369, 5432, 5672, 5984, 6379, 9042, 9092],
    ...[9200, 9300, 10250, 10255, 11211, 27017, 27018],
  ],
  /** Results in a row of one monitor that our own stalls may set aside; the next one counts. */
  stalledResultsMax: 5,
  /** In a longer gap a push report may have been lost, and not only waited. */
  reportLostMs: 5_000,
  /** Nodes of a JSON document that one JSONPath may visit, repeats included. */
  jsonPathStepsMax: 120_000,
  foundCharsMax: 200,
  quotedCharsMax: 80,
  compiledPatternsMax: 500,

  // Push
  pushDurationMsMax: 31_536_000_000,
  /** The newest runs of each push monitor, and how much of the output of each. */
  runsKept: 100,
  runLogBytesMax: 16 * 1024,
  hoursKept: 2 * 366 * 24,

  // Incidents
  titleCharsMax: 200,
  timelineEntriesMax: 500,
  incidentMessageCharsMax: 4_000,
  /** Incidents that people declared and that are open at the same time, in one organization. */
  declaredOpenMax: 200,
  /** How long before its declaration an incident may have begun. */
  declaredAgoMsMax: 366 * 24 * 3_600_000,
  /** Results remembered for "N of the last N + 2": thresholdMax + 2. */
  recentResultsMax: 12,
  /** The 2 in it: good results between failures that do not hide an outage. */
  sparedResults: 2,
  explainedDecisionsMax: 12,
  explainedChecksMax: 20,
  explainedChannelsMax: 200,
  /** Messages that are looked through to find those of the incident: of all channels together. */
  explainedDeliveriesScanned: 2_000,
  flappingTurns: 4,
  flappingWindowMs: 60 * 60_000,
  /** An outage that is older explains no other one, and no incident is held for longer. */
  heldInAllMsMax: 24 * 60 * 60_000,

  // Channels and deliveries
  deliveryTimeoutMs: 20_000,
  deliveryAgeMsMax: 24 * 3_600_000,
  /** Attempts of a delivery that stay on record. */
  attemptsKeptFirst: 2,
  attemptsKeptLast: 18,
  payloadMonitorsMax: 10,
  deliveriesKeptShare: 1 / 4,
  /** Messages merged into one digest, and how many incidents it lists in full. */
  digestFoldsMax: 2_000,
  /** Pending messages that are considered when choosing the next one. */
  deliveriesPerLookMax: 50,
  /** Pending messages of a channel that are counted for people. */
  pendingCountedMax: 10_000,
  /** Dead messages of a channel that are sent again at once. */
  redeliveredTogetherMax: 1_000,
  channelTokenCharsMax: 512,
  /** Recipients of one channel that each get a message of their own. */
  channelRecipientsMax: 20,
  /** How long shutdown waits for messages in progress. */
  deliveryDrainMs: 10_000,
  timezoneCharsMax: 64,
  cronCharsMax: 200,
  /** Cron expressions that are kept parsed. */
  cronsRemembered: 2_000,
  /** Monitors on which one may depend. */
  dependsOnMax: 10,
  /** The longest time of a window that is on once. */
  maintenanceDaysMax: 366,
  /** The coming occurrences that the API shows. */
  maintenanceOccurrencesShown: 5,
  /** The longest wait until the windows of an organization are looked at again. */
  maintenanceLookMs: 86_400_000,
  /** How long before a public window pages announce it. */
  maintenanceAnnouncedDays: 7,
  reminderMinutesMax: 10_080,
  /** Per channel. */
  channelTests: { quota: 6, windowSeconds: 60 },
  /** Channels in trouble that are named above the pages of the console. */
  troubledChannelsMax: 20,
  /** Channels that one test of a monitor's path reaches, and how many of them at once. */
  pathTestsMax: 50,

  // Status pages
  slugCharsMax: 63,
  pageMonitorsMax: 500,
  pageSectionsMax: 50,
  historyDays: 90,
  /** Less than this is too little for a share of the time. */
  uptimeCountedMsMin: 3_600_000,
  hostnameCharsMax: 253,
  publicIncidentDays: 15,
  /** The hours of a chart of response times. */
  publicChartHours: 24,
  pageMetaCharsMax: 200,
  /** Each of the two texts of a badge. */
  badgeTextCharsMax: 100,
  pagesCachedMax: 10_000,
  dayMemoryMonitorsMax: 2_000,
  subdomainQuarantineMs: 30 * 86_400_000,
  /** New subdomains, custom domains and changed slugs of status pages, together, for one organization. */
  pageAddressChanges: { quota: 200, windowSeconds: 86_400 },
  /** How long a domain is served whose proof is gone, or counts as leading here if it does not. */
  domainGraceMs: 72 * 3_600_000,

  // Subscribers of status pages
  /** Of an organization: they are counted in memory. */
  subscribersQuotaMax: 1_000_000,
  /** How long the link to confirm works; who has not confirmed is forgotten. */
  subscriptionLinkMs: 24 * 3_600_000,
  /** Addresses that an organization may add, where anybody may register: they may be strangers. */
  subscribersAddedByOrg: { quota: 1_000, windowSeconds: 3_600 },
  /** A single span longer than this (after the clock jumped by years) is cut to its newest part. */
  spanDaysMax: 400,

  // The process and its disk
  stopMsMax: 30_000,
  /** How long a newcomer waits to hear that another daemon has the directory. */
  controlTimeoutMs: 1_000,
  /** Damaged records that are told and kept aside; more say nothing new. */
  damagedRecordsMax: 1_000,
  /** A backup that takes longer has failed. Until it is copied, the data file grows. */
  backupMsMax: 60 * 60_000,
  manifestBytesMax: 64 * 1024,
  spaceBytesFull: 128 * 1024 * 1024,
  /** With less, the daemon does not start: LMDB would end the process without a word. */
  spaceBytesStart: 1024 * 1024,

  // stillup doctor
  /** A letter on request may take longer. */
  doctorLetterMs: 8_000,
  doctorFileBytesMax: 1024 * 1024,

  // Quotas of each organization
  /** Quotas cannot exceed this, because the objects are counted one by one. */
  quotaMax: 10_000,
  monitorsQuotaMax: 1_000_000,
  /** Monitors in one imported document. */
  importMonitorsMax: 10_000,
  importBytesMax: 16 * 1024 * 1024,
  secretsOmittedOfItem: 100,
  importMsMax: 60_000,
  /** Of push monitors from other products that have none of their own. */
  importGraceSeconds: 60,
  /** Notes on what was not taken over, and the length of each. */
  importNotesMax: 5_000,
  importNoteCharsMax: 300,
  /** A conversion: its processor time, its time in all, and the memory of its objects. */
  conversionCpuMsMax: 10_000,
  conversionsOfOrg: { quota: 10, windowSeconds: 60 },
  /** The newest open incidents and the worst monitors in a summary. */
  summaryItemsMax: 20,
  /** Monitors scanned before the loop yields. */
  scanSlice: 500,
  /** How long a long loop runs before it yields. */
  turnMs: 20,
  organizationsPerUserMax: 20,

  // People
  emailCharsMax: 254,
  passwordCharsMin: 12,
  passwordCharsMax: 128,
  sessionMsMax: 30 * 86_400_000,
  sudoMs: 15 * 60_000,
  userAgentCharsMax: 256,
  // Each hash takes 46 MiB, and a thread that the disk needs as well.
  setupTokenCharsMax: 256,
  knownDeviceMs: 365 * 86_400_000,
  linkMs: {
    'sign-in': 10 * 60_000,
    'password-reset': 60 * 60_000,
    'email-verify': 24 * 3_600_000,
    'email-change': 24 * 3_600_000,
  },
  linkTokenCharsMax: 128,
  totpCharsMax: 64,
  recoveryCodes: 10,
  /** From the redirect to a provider until the return, and from there until the second factor. */
  oidcFlowMs: 10 * 60_000,
  /** It is part of a cookie, which browsers limit to 4 KiB. */
  redirectUriCharsMax: 1_024,
  referralsPerUserMax: 1_000,
  keyDefaultDays: 365,
  /** The longest time that the command line takes; without an end is a choice of its own. */
  keyDaysMax: 3_650,
  lettersInFlightMax: 5,
  /** One attempt, from the connection to the server's last reply. */
  letterTimeoutMs: 60_000,

  // Identity verification
  kycReasonCharsMax: 500,
  kycAgeYearsMin: 13,
  kycAgeYearsMax: 120,

  // Error reports and tasks
  dailyMs: 86_400_000,
  reconcileSlice: 500,
  taskSliceRecords: 200,
  /** The maximum number of records that are counted one by one. */
  systemCountMax: 20_000,
  /** How long a reader who entered it need not do so again, and the cookies that are looked at. */
  pageKeyMs: 30 * 86_400_000,

  // Streams of status pages

  // Event streams

  // A change of the master key

  // Names: look-ups, caches and registrations
  dnsCacheEntriesMax: 10_000,
  /** Answers with more addresses of one family are looked up each time. */
  dnsKeptAddressesMax: 32,
  dnsTryMsMax: 2_000,

  // What a probe reads from a target and stores of it
  responseHeaderBytesMax: 16 * 1024,
  responseBodyBytesMax: 1024 * 1024,
  /** All bytes on the connection of a response, including handshake and chunk headers. */
  responseWireBytesMax: 8 * 1024 * 1024,
  /** Interim responses (1xx) before the final one. */
  interimResponsesMax: 100,
  evidenceBodyBytesMax: 2 * 1024,
  /** Kept for that: twice what is shown, so that a secret split by the cut is recognized. */
  evidenceKeptBytes: 4 * 1024,
  /** The body of an answer to a trial, as shown, and the bytes that are kept for that. */
  trialBodyCharsMax: 24 * 1024,
  trialBodyBytesKept: 64 * 1024,
  evidenceHeadersMax: 40,
  evidenceHeaderValueCharsMax: 512,
  /** Shorter values are words that would be masked all over a page. */
  redactedCharsMin: 4,
  /** Characters of a text in which they are masked. */
  redactedTextCharsMax: 32 * 1024,

  // Certificates of the service's own hosts
  /**
   * New hosts of one registered domain that get a certificate within `certificateBudgetMs`, from Let's
   * Encrypt: it issues 50. The rest is for the host of the service, and for what others obtain there.
   * It does not count a renewal, an order for a name that had a certificate before.
   */
  certificatesNewOfDomain: 45,
  /** Of these, below the domain of status pages, for one organization. */
  certificatesNewSharedOfOrg: 10,
  /** Orders for new hosts of one organization within `certificateBudgetMs`, also those that fail. */
  certificateOrdersNewOfOrg: 100,
  /** Before its end, the operator is told of a certificate that could not be renewed. */
  certificateNoticeMs: 7 * 24 * 60 * 60_000,
  certificateReasonCharsMax: 500,
  /** One order, from its beginning to the certificate. */
  acmeOrderMs: 3 * 60_000,

  // Upgrades of the data

  // Backups in a bucket
} as const
