// The bounds that several files share, each with its unit in its name. A bound with one user stands there,
// above its use.

export const limits = {
  // Requests: bodies, lists, and what they cost
  bodyBytesMax: 64 * 1024,
  /** Larger JSON bodies are parsed in slices of about this size. */
  jsonSliceBytes: 256 * 1024,
  jsonDepthMax: 32,
  jsonKeysMax: 2_000,
  /** Problems of one request that its answer names. */
  fieldProblemsMax: 100,
  /**
   * What bodies larger than `bytesMin` may take together while they arrive and are worked on, and the share
   * of it, as far as others leave it free, for one organization.
   */
  largeBodies: { bytesMin: 256 * 1024, bytesMax: 256 * 1024 * 1024, share: 1 / 4 },
  /** Larger responses, such as long lists, share what one turn of the event loop sends. */
  smallBodyBytesMax: 64 * 1024,
  pageItemsMax: 200,
  /** Records that a list with filters reads before it returns what it has. */
  listScanMax: 2_000,
  /** Records that are counted one by one. */
  systemCountMax: 20_000,
  requestMsMax: 30_000,
  /** What `Retry-After` says where the wait is not known. */
  retryAfterSeconds: 10,
  rateKeysMax: 100_000,
  idempotencyKeyCharsMax: 255,
  connectionsMax: 20_000,
  /** Certificates that are ready for a handshake; each takes about 50 KB. */
  tlsContextsMax: 500,

  // Long work: how much of it is done before other work has its turn
  /** How long a long loop runs before it yields. */
  turnMs: 20,
  /** How long the uptime of many monitors is read before the loop yields. */
  historySliceMs: 10,
  /** Monitors that a loop looks at before it may yield. */
  scanSlice: 500,
  /** Monitors that an operation on many looks at before it may yield. */
  bulkSlice: 100,
  /** Records that one transaction removes. */
  deleteSliceRecords: 500,
  /** Monitors whose old results one transaction removes. */
  janitorSlice: 100,
  /** Incidents, announcements and deliveries that are compared together. */
  reconcileSlice: 500,
  taskSliceRecords: 200,
  dailyMs: 86_400_000,
  /** A crashed actor restarts after this, doubled each time; then it is suspended. */
  actorRestartMs: 5_000,
  actorCrashesMax: 5,

  // What callers name
  nameCharsMax: 120,
  titleCharsMax: 200,
  descriptionCharsMax: 2_000,
  tagsMax: 20,
  tagCharsMax: 50,
  tagColorsMax: 500,
  /** Places that one monitor may be checked from. */
  placesMax: 20,
  /** Channels that one monitor names. */
  notifyChannelsMax: 50,
  urlCharsMax: 2_048,
  hostnameCharsMax: 253,
  emailCharsMax: 254,
  timezoneCharsMax: 64,
  cronCharsMax: 200,

  // Monitors
  headersMax: 50,
  headerNameCharsMax: 64,
  headerValueCharsMax: 1_024,
  requestBodyBytesMax: 64 * 1024,
  redirectsMax: 20,
  assertionsMax: 20,
  assertionPathCharsMax: 256,
  caCertificatesBytesMax: 32 * 1024,
  caCertificatesMax: 10,
  clientKeyBytesMax: 16 * 1024,
  connectToCharsMax: 300,
  certificateWarnDaysMax: 365,
  intervalSecondsMin: 10,
  intervalSecondsMax: 86_400,
  retryIntervalSecondsMin: 5,
  timeoutMsMin: 100,
  timeoutMsMax: 60_000,
  degradedThresholdMsMax: 60_000,
  thresholdMax: 10,
  graceSecondsMax: 31_536_000,
  bulkMonitorsMax: 10_000,
  /** Checks by hand: of one monitor, and of one organization, trials included. */
  runsOfMonitor: { quota: 6, windowSeconds: 60 },
  runsOfOrg: { quota: 30, windowSeconds: 60 },
  /** How long a person waits for a check by hand beyond its own timeout. */
  runWaitMsMax: 2_000,
  /** Simulations with other thresholds. */
  simulationsOfOrg: { quota: 30, windowSeconds: 60 },
  /** The first alerts of each incident that the answer to a simulation shows. */
  simulatedAlertsShown: 20,

  // Checks: what is read of a target, and what is kept of it
  responseHeaderBytesMax: 16 * 1024,
  responseBodyBytesMax: 1024 * 1024,
  /** All bytes on the connection of a response, including handshake and chunk headers. */
  responseWireBytesMax: 8 * 1024 * 1024,
  /** Interim responses (1xx) before the final one. */
  interimResponsesMax: 100,
  evidenceBodyBytesMax: 2 * 1024,
  /** Bytes of a body that are kept for it: twice what is shown, so that a secret split by the cut is known. */
  evidenceKeptBytes: 4 * 1024,
  evidenceHeadersMax: 40,
  /** The picture of a page, as Base64: 100 KiB of JPEG. */
  pictureCharsMax: 136_536,
  /** The URL of a request that a page made in the browser. */
  loadedUrlCharsMax: 500,
  evidenceHeaderValueCharsMax: 512,
  /** The body of an answer to a trial, as shown, and the bytes that are kept for that. */
  trialBodyCharsMax: 24 * 1024,
  trialBodyBytesKept: 64 * 1024,
  /** Shorter values that a check sends are words that would be masked all over a page. */
  redactedCharsMin: 4,
  /** Characters of a text in which such values are masked. */
  redactedTextCharsMax: 32 * 1024,
  errorMessageCharsMax: 300,
  /** Findings of a good check, as shown: a certificate chain is longer than most answers. */
  foundCharsShownMax: 16 * 1024,
  foundCharsMax: 200,
  quotedCharsMax: 80,
  /** Monitors that a group names. */
  groupMembersMax: 200,
  /** Groups of a monitor that follow its state at once. */
  groupsOfMonitorMax: 1_000,
  compiledPatternsMax: 500,
  /** Nodes of a JSON document that one JSONPath may visit, repeats included. */
  jsonPathStepsMax: 120_000,
  /** Ports of services that the first bytes of an HTTP request could control. */
  deniedPorts: [
    1433, 2049, 2375, 2376, 2379, 2380, 3306, 4369, 5432, 5672, 5984, 6379, 9042, 9092, 9200, 9300,
    10250, 10255, 11211, 27017, 27018,
  ],
  dnsCacheEntriesMax: 10_000,
  /** Answers with more addresses of one family are looked up each time. */
  dnsKeptAddressesMax: 32,
  /** How long a name server has at most for the first try. */
  dnsTryMsMax: 2_000,
  /** Results in a row of one monitor that our own stalls may set aside; the next one counts. */
  stalledResultsMax: 5,

  // Push reports
  pushDurationMsMax: 31_536_000_000,
  /** In a longer gap a push report may have been lost, and not only waited. */
  reportLostMs: 5_000,
  /** The newest runs of each push monitor, and how much of the output of each. */
  runsKept: 100,
  runLogBytesMax: 16 * 1024,

  // History and uptime
  checksKeptDays: 30,
  hoursKept: 2 * 366 * 24,
  historyDays: 90,
  /** A single span longer than this (after the clock jumped by years) is cut to its newest part. */
  spanDaysMax: 400,
  /** Less than this is too little for a share of the time. */
  uptimeCountedMsMin: 3_600_000,
  /** How long the uptime of all monitors together is reused. */
  uptimeTotalFreshMs: 10_000,
  /** The points of a chart of response times. */
  chartPointsMax: 500,
  /** The hours of a chart of response times on a page. */
  publicChartHours: 24,
  /** Rows that the latencies of a finished hour are made of. */
  rollupRowsMax: 50_000,
  /** Monitors whose finished days, and finished hours, are kept in memory. */
  dayMemoryMonitorsMax: 2_000,
  /** Incidents in a monthly report. */
  reportIncidentsMax: 1_000,

  // Incidents
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
  flappingTurns: 4,
  flappingWindowMs: 60 * 60_000,
  /** An outage that is older explains no other one, and no incident is held for longer. */
  heldInAllMsMax: 24 * 60 * 60_000,
  /** What the explanation of an incident shows: decisions, results of each, and channels. */
  explainedDecisionsMax: 12,
  explainedChecksMax: 20,
  explainedChannelsMax: 200,
  /** Messages of all channels that are looked through to find the ones about the incident. */
  explainedDeliveriesScanned: 2_000,

  // Maintenance
  /** The longest time of a window that is on once. */
  maintenanceDaysMax: 366,
  /** The coming occurrences that the API shows. */
  maintenanceOccurrencesShown: 5,
  /** The longest wait until the windows of an organization are looked at again. */
  maintenanceLookMs: 86_400_000,
  /** How long before a public window pages announce it. */
  maintenanceAnnouncedDays: 7,
  /** Cron expressions that are kept parsed. */
  cronsRemembered: 2_000,

  // Channels and deliveries
  /** Recipients of one channel that each get a message of their own. */
  channelRecipientsMax: 20,
  reminderMinutesMax: 10_080,
  channelDelayMinutesMax: 1_440,
  /** Tests of one channel. */
  channelTests: { quota: 6, windowSeconds: 60 },
  /** Channels in trouble that are named above the pages of the console. */
  troubledChannelsMax: 20,
  /** Channels that one test of a monitor's path reaches. */
  pathTestsMax: 50,
  payloadMonitorsMax: 10,
  deliveryTimeoutMs: 20_000,
  deliveryAgeMsMax: 24 * 3_600_000,
  /** How long shutdown waits for messages in progress. */
  deliveryDrainMs: 10_000,
  /** Attempts of a delivery that stay on record. */
  attemptsKeptFirst: 2,
  attemptsKeptLast: 18,
  /** The last places for messages are for organizations with less than this share of the free ones. */
  deliveriesKeptShare: 1 / 4,
  /** Pending messages that are considered when choosing the next one. */
  deliveriesPerLookMax: 50,
  /** Pending messages of a channel that are counted for people. */
  pendingCountedMax: 10_000,
  /** Messages merged into one digest. */
  digestFoldsMax: 2_000,
  /** Dead messages of a channel that are sent again at once. */
  redeliveredTogetherMax: 1_000,

  // Letters
  lettersInFlightMax: 5,
  /** One attempt, from the connection to the server's last reply. */
  letterTimeoutMs: 60_000,

  // Status pages and their subscribers
  slugCharsMax: 63,
  pageMonitorsMax: 500,
  pageSectionsMax: 50,
  pageHeadLinksMax: 6,
  pageHeadLinkLabelCharsMax: 40,
  pageMetaCharsMax: 200,
  /** Each of the two texts of a badge. */
  badgeTextCharsMax: 100,
  publicIncidentDays: 15,
  /** Documents of pages that are kept made. */
  pagesCachedMax: 10_000,
  /** How long a reader who entered the password of a page need not do so again. */
  pageKeyMs: 30 * 86_400_000,
  subdomainQuarantineMs: 30 * 86_400_000,
  /** New subdomains, custom domains and changed slugs of one organization, together. */
  pageAddressChanges: { quota: 200, windowSeconds: 86_400 },
  /** How long a domain is served whose proof is gone, or counts as leading here if it does not. */
  domainGraceMs: 72 * 3_600_000,
  /** How long the link to confirm works; who has not confirmed is forgotten. */
  subscriptionLinkMs: 24 * 3_600_000,
  /** Addresses that an organization may add, where anybody may register: they may be strangers. */
  subscribersAddedByOrg: { quota: 1_000, windowSeconds: 3_600 },
  /** Subscribers who confirmed elsewhere that an organization may bring, where anybody may register. */
  subscribersImportedByOrg: { quota: 10_000, windowSeconds: 86_400 },

  // Organizations: quotas, summary, import
  /** Quotas cannot exceed this, because the objects are counted one by one. */
  quotaMax: 10_000,
  monitorsQuotaMax: 1_000_000,
  organizationsPerUserMax: 20,
  /** The newest open incidents and the worst monitors in a summary. */
  /** What happened of late, for one member. */
  activityItemsMax: 50,
  summaryItemsMax: 20,
  importMonitorsMax: 10_000,
  importBytesMax: 16 * 1024 * 1024,
  importMsMax: 60_000,
  /** Pointers to omitted secrets of one item that are looked at. */
  secretsOmittedOfItem: 100,
  /** The grace of push monitors from other products that have none of their own. */
  importGraceSeconds: 60,
  /** Notes on what was not taken over, and the length of each. */
  importNotesMax: 5_000,
  importNoteCharsMax: 300,
  /** The processor time of a conversion. */
  conversionCpuMsMax: 10_000,
  /** A file that is uploaded for an import. */
  uploadBytesMax: 64 * 1024 ** 3,
  conversionsOfOrg: { quota: 10, windowSeconds: 60 },
  keyDefaultDays: 365,
  /** The longest time that the command line takes; without an end is a choice of its own. */
  keyDaysMax: 3_650,

  // People and sign-in
  passwordCharsMin: 12,
  passwordCharsMax: 128,
  sessionMsMax: 30 * 86_400_000,
  sudoMs: 15 * 60_000,
  userAgentCharsMax: 256,
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
  /** The time from the redirect to a provider until the return. */
  oidcFlowMs: 10 * 60_000,
  /** The time from the first factor until the code. */
  secondStepMs: 5 * 60_000,
  /** The time that a browser has to make or use a passkey. */
  passkeyMs: 5 * 60_000,
  /** Part of a cookie, which browsers limit to 4 KiB. */
  redirectUriCharsMax: 1_024,
  referralsPerUserMax: 1_000,
  kycReasonCharsMax: 500,
  kycAgeYearsMin: 13,
  kycAgeYearsMax: 120,

  // Locations
  probesOfLocationMax: 5,

  // Operation: disk, backups, certificates, doctor
  /** How long a newcomer waits to hear that another daemon has the directory. */
  controlTimeoutMs: 1_000,
  /** Damaged records that are reported and kept aside; more say nothing new. */
  damagedRecordsMax: 1_000,
  /** A backup that takes longer has failed. Until it is copied, the data file grows. */
  backupMsMax: 60 * 60_000,
  manifestBytesMax: 64 * 1024,
  spaceBytesFull: 128 * 1024 * 1024,
  /** With less, the daemon does not start: LMDB would end the process without a word. */
  spaceBytesStart: 1024 * 1024,
  /**
   * New hosts of one registered domain that get a certificate within `certificateBudgetMs`, from Let's
   * Encrypt: it issues 50. The rest is for the host of the service, and for what others obtain there.
   * It does not count a renewal, an order for a name that had a certificate before.
   */
  certificatesNewOfDomain: 45,
  /** The part of these for one organization, below the domain of status pages. */
  certificatesNewSharedOfOrg: 10,
  /** Orders for new hosts of one organization within `certificateBudgetMs`, also those that fail. */
  certificateOrdersNewOfOrg: 100,
  /** How long before its end the operator hears of a certificate that could not be renewed. */
  certificateNoticeMs: 7 * 24 * 60 * 60_000,
  certificateReasonCharsMax: 500,
  /** One order of a certificate, from its beginning to the certificate. */
  acmeOrderMs: 3 * 60_000,
  /** The check that sends a letter on request may take longer than others. */
  doctorLetterMs: 8_000,
  doctorFileBytesMax: 1024 * 1024,
} as const
