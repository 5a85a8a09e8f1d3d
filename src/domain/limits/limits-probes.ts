// Bounds for what a probe reads from a target and stores of it. `limits` includes them all.

const evidenceBodyBytesMax = 2 * 1024

export const probeLimits = {
  responseHeaderBytesMax: 16 * 1024,
  responseBodyBytesMax: 1024 * 1024,
  /** Small chunks of a body are joined up to this size: a million bytes, not a million chunks. */
  joinedBytesMax: 16 * 1024,
  /** All bytes on the connection of a response, including handshake and chunk headers. */
  responseWireBytesMax: 8 * 1024 * 1024,
  /** Interim responses (1xx) before the final one. */
  interimResponsesMax: 100,
  /** SETTINGS and PING frames that a server may send in one HTTP/2 exchange. */
  http2ControlFramesMax: 100,
  /** How often the received bytes of an HTTP/2 connection are counted. */
  http2WatchMs: 250,
  /** How much of a document is searched for its charset. */
  charsetScanBytes: 1024,
  evidenceBodyBytesMax,
  /** Kept for that: more than is shown, so that a secret split by the cut is recognized. */
  evidenceKeptBytes: 2 * evidenceBodyBytesMax,
  evidenceHeadersMax: 40,
  evidenceHeaderValueCharsMax: 512,
  /** The length of a redirect's URL in the message of a failure. */
  redirectUrlCharsMax: 160,
  /** How long a check reads the body of a response that refuses a WebSocket. */
  refusalMs: 500,
  /** Values that a check sends and that are masked in evidence. */
  redactedValuesMax: 200,
  /** Shorter values are words that would be masked all over a page. */
  redactedCharsMin: 4,
  /** All characters of such values; longer ones are recognized by their beginnings. */
  redactedSecretCharsMax: 96 * 1024,
  /** Characters of a text in which they are masked. */
  redactedTextCharsMax: 32 * 1024,
  /** All messages that one check reads from a WebSocket. */
  websocketBytesMax: 64 * 1024,
  websocketFramesMax: 1_000,
  /** Certificates of one chain, names in one of them, and characters of one field. */
  certificatesShownMax: 10,
  certificateNamesMax: 500,
  /** Names of a certificate in the message of a failure. */
  certificateNamesTold: 3,
  certificateTextCharsMax: 500,
  rsaBitsMin: 2_048,
  ecBitsMin: 224,
  staplePartsMax: 1_000,
  /** Bytes that are read and searched from a TCP target. */
  tcpBytesMax: 64 * 1024,
  /** A TCP target that is silent for this long has finished. */
  tcpQuietMs: 200,
  /** Searching the output of a TCP target takes at most 1/n of the time. */
  tcpExamineShare: 20,
  smtpLineBytesMax: 2_048,
  smtpReplyLinesMax: 100,
  smtpBytesMax: 64 * 1024,
  /** How long a check waits for the reply to its QUIT. */
  smtpGoodbyeMs: 500,
  pingProcessesMax: 50,
  pingOutputBytesMax: 16 * 1024,
  /** How long the trial of ping may take, and when to try again after it failed. */
  pingTrialMs: 500,
  pingRetryMs: 60_000,
} as const
