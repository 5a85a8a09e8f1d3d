// The bounds of people and access: quotas, sessions, links, identities. `limits` holds them all.

export const accessLimits = {
  // Quotas for each organization
  /** No quota can be set beyond this, for what is counted one by one. */
  quotaMax: 10_000,
  monitorsQuotaMax: 1_000_000,
  /** Of one document. */
  importMonitorsMax: 10_000,
  importBytesMax: 16 * 1024 * 1024,
  importKeysMax: 1_000_000,
  importMsMax: 60_000,
  /** The newest open incidents and the worst monitors of a summary. */
  summaryItemsMax: 20,
  /** Monitors looked at before other work has its turn. */
  scanSlice: 500,
  /** How long work on very many things goes on before other work has its turn. */
  turnMs: 20,
  /** A summary that took more than one look is good for so long. */
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
  /** How long a session's value is used, and how long the one before still works. */
  sessionValueMsMax: 86_400_000,
  sessionFormerMs: 30_000,
  lastSeenStepMs: 5 * 60_000,
  userAgentCharsMax: 256,
  // Each hash takes 46 MiB and a thread that the disk needs as well.
  passwordHashesMax: 2,
  passwordHashesQueuedMax: 50,
  passwordRetryAfterSeconds: 5,
  keyLastUsedStepMs: 60_000,
  setupTokenCharsMax: 256,
  /** Wrong passwords for one address: a device that signed in before has a count of its own. */
  wrongPasswords: { quota: 20, windowSeconds: 86_400 },
  /** Wrong proofs of somebody who is signed in already. */
  wrongProofs: { quota: 10, windowSeconds: 86_400 },
  /** New accounts from one address, where everybody may register. */
  registrations: { quota: 5, windowSeconds: 3_600 },
  /** Letters of one kind to one address that somebody not signed in, or not proven, asks for. */
  askedLetters: { quota: 5, windowSeconds: 3_600 },
  /** Links to sign in that one network may ask for, and that one mailbox may be sent. */
  signInAsks: { quota: 20, windowSeconds: 3_600 },
  signInLettersHourly: { quota: 5, windowSeconds: 3_600 },
  signInLettersDaily: { quota: 20, windowSeconds: 86_400 },
  knownDeviceMs: 365 * 86_400_000,
  bucketsSavedMs: 60_000,
  /** Of each kind; those that have the longest to go. */
  bucketsSavedMax: 20_000,
  linkMs: {
    'sign-in': 10 * 60_000,
    'password-reset': 60 * 60_000,
    'email-verify': 24 * 3_600_000,
    'email-change': 24 * 3_600_000,
  },
  linkTokenCharsMax: 128,
  /** For each person; codes that were right count too. */
  totpTries: { quota: 96, windowSeconds: 86_400 },
  totpCharsMax: 64,
  recoveryCodes: 10,
  recoveryCodeBytes: 10,
  /** From leaving for a provider to coming back, and from there to the second factor. */
  oidcFlowMs: 10 * 60_000,
  oidcSecondStepMs: 5 * 60_000,
  oidcRequestMsMax: 10_000,
  oidcResponseBytesMax: 256 * 1024,
  oidcMetadataMs: 3_600_000,
  oidcParameterCharsMax: 4_096,
  /** It travels in a cookie, which browsers take up to 4 KiB of. */
  redirectUriCharsMax: 1_024,
  spentFlowsForgotten: 100,
  inviteMs: 7 * 86_400_000,
  referralCodeCharsMin: 4,
  referralCodeCharsMax: 32,
  /** Of a code that nobody chose. */
  referralCodeCharsNew: 10,
  referralCodesRetiredMax: 10,
  referralsPerUserMax: 1_000,
  /** Monitors of an organization that are looked at for a first check. */
  referralMonitorsMax: 20,
  /** Of one person, over all organizations: each one is a letter to a stranger. */
  invitesByPerson: { quota: 20, windowSeconds: 86_400 },
  keyDefaultDays: 365,
  /** How long a key still works after it was replaced. */
  keyOverlapMs: 24 * 3_600_000,
  /** A letter warns this many days before a key ends. */
  keyWarningDays: [30, 7],
  keyWarningLettersMax: 10,
  letterSubjectCharsMax: 200,
  letterKeptMs: 7 * 86_400_000,
  lettersInFlightMax: 5,
  /** Of one attempt, from the connection to the server's last word. */
  letterTimeoutMs: 60_000,
  smtpConnectMsMax: 10_000,
  smtpSilenceMsMax: 30_000,
  /** Files in the directory outbox; the oldest go. */
  letterFilesMax: 1_000,
  letterFileKeptMs: 30 * 86_400_000,
  auditKeptDays: 400,
  auditFilterCharsMax: 64,
  /** Entries of one file; the rest is a next one. */
  auditExportMax: 5_000,
  /** Entries looked at before other work has its turn. */
  auditSlice: 500,
  /** By how much the clock may have been set back between two entries, for looks by time. */
  auditClockSlackMs: 86_400_000,
  /** Refused requests that are noted, of one caller and of all without a credential. */
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
  /** An undecided case ends after this. */
  kycOpenMsMax: 30 * 86_400_000,
  /** Cases of one person; of more the oldest go. */
  kycCasesPerUserMax: 20,
  /** Of one person. */
  kycSubmissions: { quota: 10, windowSeconds: 3_600 },
  kycSendsMax: 4,
  /** How far the clocks of a signed callback and of the daemon may be apart. */
  kycCallbackSkewMs: 5 * 60_000,
  kycCallbackIdCharsMax: 256,
  kycSlice: 200,

  // Error reports and tasks
  errorBodyBytesMax: 16 * 1024,
  errorMessageTextMax: 4_000,
  errorStackTextMax: 12_000,
  errorSourceCharsMax: 100,
  errorContextKeysMax: 50,
  /** Kinds of errors remembered; a new one takes the place of the one that was seen least lately. */
  errorKindsMax: 1_000,
  errorFramesCompared: 3,
  /** How long counts of errors that are known already gather before they are written. */
  errorFlushMs: 5_000,
  /** Reports from one address without a credential. */
  errorReportsOfStrangers: { quota: 10, windowSeconds: 60 },
  /** No task runs sooner after the start: then there is enough to do. */
  taskAfterStartMs: 60_000,
  taskErrorCharsMax: 500,
  /** How long somebody who starts a task by hand waits for its end. */
  taskWaitMs: 25_000,
  dailyMs: 86_400_000,
  outboxTaskMs: 15 * 60_000,
  referralsTaskMs: 10 * 60_000,
  taskSliceRecords: 200,
  /** Records that are counted one by one to tell how many there are. */
  systemCountMax: 20_000,
  dataFilesMax: 10_000,

  // Event streams
  /** Often enough that no proxy and no server takes the line for dead. */
  streamBeatMs: 5_000,
  streamsMax: 2_000,
  streamsPerOrgMax: 100,
  streamsPerCredentialMax: 10,
  /** Over all organizations and sessions. */
  streamsPerPersonMax: 30,
  /** What a client that does not read may leave lying before it is cut off. */
  streamBufferBytesMax: 256 * 1024,
  /** Events that somebody who comes back can catch up with. */
  eventsKept: 500,
  /** How long they are kept after the last listener left. */
  eventsQuietMs: 5 * 60_000,

  // A change of the master key
  resealSlice: 100,
  /** Sealed characters that one transaction seals anew; opening and sealing take processor time. */
  resealCharsMax: 128 * 1024,
} as const
