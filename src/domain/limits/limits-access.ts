// Bounds for people and access: quotas, sessions, links, identities. `limits` includes them all.

export const accessLimits = {
  // Quotas of each organization
  /** Quotas cannot exceed this, because the objects are counted one by one. */
  quotaMax: 10_000,
  monitorsQuotaMax: 1_000_000,
  /** Monitors in one imported document. */
  importMonitorsMax: 10_000,
  importBytesMax: 16 * 1024 * 1024,
  importKeysMax: 1_000_000,
  importMsMax: 60_000,
  /** The newest open incidents and the worst monitors in a summary. */
  summaryItemsMax: 20,
  /** Monitors scanned before the loop yields. */
  scanSlice: 500,
  /** How long a long loop runs before it yields. */
  turnMs: 20,
  /** How long a summary is reused if computing it took more than one time slice. */
  summaryFreshMs: 2_000,
  summariesRemembered: 1_000,
  organizationsPerUserMax: 20,
  sessionsPerUserMax: 20,

  // People
  emailCharsMax: 254,
  passwordCharsMin: 12,
  passwordCharsMax: 128,
  sessionMsMax: 30 * 86_400_000,
  sessionIdleMsMax: 7 * 86_400_000,
  sudoMs: 15 * 60_000,
  /** How long a session's value is used, and how long the previous one still works. */
  sessionValueMsMax: 86_400_000,
  sessionFormerMs: 30_000,
  lastSeenStepMs: 5 * 60_000,
  userAgentCharsMax: 256,
  // Each hash takes 46 MiB, and a thread that the disk needs as well.
  passwordHashesMax: 2,
  passwordHashesQueuedMax: 50,
  passwordRetryAfterSeconds: 5,
  keyLastUsedStepMs: 60_000,
  setupTokenCharsMax: 256,
  /** Wrong passwords for one address; a device that signed in before has its own count. */
  wrongPasswords: { quota: 20, windowSeconds: 86_400 },
  /** Wrong confirmations by somebody who is already signed in. */
  wrongProofs: { quota: 10, windowSeconds: 86_400 },
  /** New accounts from one address while registration is open. */
  registrations: { quota: 5, windowSeconds: 3_600 },
  /** Letters of one kind to one address, requested by somebody not signed in or not verified. */
  askedLetters: { quota: 5, windowSeconds: 3_600 },
  /** Sign-in links that one network may request, and that one mailbox may receive. */
  signInAsks: { quota: 20, windowSeconds: 3_600 },
  signInLettersHourly: { quota: 5, windowSeconds: 3_600 },
  signInLettersDaily: { quota: 20, windowSeconds: 86_400 },
  knownDeviceMs: 365 * 86_400_000,
  bucketsSavedMs: 60_000,
  /** Saved per kind of limit; the ones that take longest to recover. */
  bucketsSavedMax: 20_000,
  linkMs: {
    'sign-in': 10 * 60_000,
    'password-reset': 60 * 60_000,
    'email-verify': 24 * 3_600_000,
    'email-change': 24 * 3_600_000,
  },
  linkTokenCharsMax: 128,
  /** Per person; correct codes count too. */
  totpTries: { quota: 96, windowSeconds: 86_400 },
  totpCharsMax: 64,
  recoveryCodes: 10,
  recoveryCodeBytes: 10,
  /** From the redirect to a provider until the return, and from there until the second factor. */
  oidcFlowMs: 10 * 60_000,
  oidcSecondStepMs: 5 * 60_000,
  oidcRequestMsMax: 10_000,
  oidcResponseBytesMax: 256 * 1024,
  oidcMetadataMs: 3_600_000,
  oidcParameterCharsMax: 4_096,
  /** It is part of a cookie, which browsers limit to 4 KiB. */
  redirectUriCharsMax: 1_024,
  spentFlowsForgotten: 100,
  inviteMs: 7 * 86_400_000,
  referralCodeCharsMin: 4,
  referralCodeCharsMax: 32,
  /** The length of a generated code. */
  referralCodeCharsNew: 10,
  referralCodesRetiredMax: 10,
  referralsPerUserMax: 1_000,
  /** Monitors of an organization that are examined for a first check. */
  referralMonitorsMax: 20,
  /** Per person, over all organizations: each one is a letter to a stranger. */
  invitesByPerson: { quota: 20, windowSeconds: 86_400 },
  keyDefaultDays: 365,
  /** How long a replaced key still works. */
  keyOverlapMs: 24 * 3_600_000,
  /** Letters warn this many days before a key expires. */
  keyWarningDays: [30, 7],
  keyWarningLettersMax: 10,
  letterSubjectCharsMax: 200,
  letterKeptMs: 7 * 86_400_000,
  lettersInFlightMax: 5,
  /** One attempt, from the connection to the server's last reply. */
  letterTimeoutMs: 60_000,
  smtpConnectMsMax: 10_000,
  smtpSilenceMsMax: 30_000,
  /** Files in the directory outbox; the oldest are deleted. */
  letterFilesMax: 1_000,
  letterFileKeptMs: 30 * 86_400_000,
  auditKeptDays: 400,
  auditFilterCharsMax: 64,
  /** Entries per file; the next part has the rest. */
  auditExportMax: 5_000,
  /** Entries processed before the loop yields. */
  auditSlice: 500,
  /** How far the clock may have been set back between two entries, for searches by time. */
  auditClockSlackMs: 86_400_000,
  /** Refused requests that are recorded, per caller, and for all callers without a credential. */
  refusalsNoted: { quota: 60, windowSeconds: 3_600 },
  strangersRefusalsNoted: { quota: 600, windowSeconds: 3_600 },

  // Identity verification
  kycBodyBytesMax: 32 * 1024,
  kycCallbackBytesMax: 8 * 1024,
  kycNameCharsMax: 100,
  kycPhoneCharsMax: 40,
  kycAddressCharsMax: 200,
  kycNumbersMax: 10,
  kycNumberNameCharsMax: 40,
  kycNumberCharsMax: 64,
  kycReasonCharsMax: 500,
  kycAgeYearsMin: 13,
  kycAgeYearsMax: 120,
  /** An undecided case expires after this. */
  kycOpenMsMax: 30 * 86_400_000,
  /** Cases of one person; beyond that the oldest are deleted. */
  kycCasesPerUserMax: 20,
  /** Per person. */
  kycSubmissions: { quota: 10, windowSeconds: 3_600 },
  kycSendsMax: 4,
  /** The largest difference between the clocks of a signed callback and of the daemon. */
  kycCallbackSkewMs: 5 * 60_000,
  kycCallbackIdCharsMax: 256,
  kycSlice: 200,

  // Error reports and tasks
  errorBodyBytesMax: 16 * 1024,
  errorMessageTextMax: 4_000,
  errorStackTextMax: 12_000,
  errorSourceCharsMax: 100,
  errorContextKeysMax: 50,
  /** Kinds of errors stored; a new one replaces the one least recently seen. */
  errorKindsMax: 1_000,
  errorFramesCompared: 3,
  /** How long counts of known errors are collected before they are written. */
  errorFlushMs: 5_000,
  /** Reports from one address without a credential. */
  errorReportsOfStrangers: { quota: 10, windowSeconds: 60 },
  /** No task runs earlier after the start, when the daemon is busy. */
  taskAfterStartMs: 60_000,
  taskErrorCharsMax: 500,
  /** How long a person who starts a task manually waits for its end. */
  taskWaitMs: 25_000,
  dailyMs: 86_400_000,
  outboxTaskMs: 15 * 60_000,
  referralsTaskMs: 10 * 60_000,
  taskSliceRecords: 200,
  /** The maximum number of records that are counted one by one. */
  systemCountMax: 20_000,
  dataFilesMax: 10_000,

  // Event streams
  /** Often enough that no proxy or server considers the connection dead. */
  streamBeatMs: 5_000,
  streamsMax: 2_000,
  streamsPerOrgMax: 100,
  streamsPerCredentialMax: 10,
  /** Over all organizations and sessions. */
  streamsPerPersonMax: 30,
  /** The unsent bytes at which a client that does not read is disconnected. */
  streamBufferBytesMax: 256 * 1024,
  /** Events that a reconnecting client can catch up with. */
  eventsKept: 500,
  /** How long they are kept after the last listener left. */
  eventsQuietMs: 5 * 60_000,

  // A change of the master key
  resealSlice: 100,
  /** Encrypted characters that one transaction re-encrypts; this takes processor time. */
  resealCharsMax: 128 * 1024,
} as const
