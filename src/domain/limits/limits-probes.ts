// The bounds of what a probe reads from a target and keeps of it. `limits` holds them all.

const evidenceBodyBytesMax = 2 * 1024

export const probeLimits = {
  responseHeaderBytesMax: 16 * 1024,
  responseBodyBytesMax: 1024 * 1024,
  /** Chunks of a body that are joined, so that a million of one byte are not a million. */
  joinedBytesMax: 16 * 1024,
  /** Of everything that comes on the connection of a response: handshake, chunk heads and all. */
  responseWireBytesMax: 8 * 1024 * 1024,
  /** Responses of 1xx before the one that counts. */
  interimResponsesMax: 100,
  /** SETTINGS and PING frames that a server may send in one HTTP/2 exchange. */
  http2ControlFramesMax: 100,
  /** How often the bytes that came over an HTTP/2 connection are counted. */
  http2WatchMs: 250,
  /** How much of a document is searched for what it says of its charset. */
  charsetScanBytes: 1024,
  evidenceBodyBytesMax,
  /** Looked at for that: more than is shown, so that a secret that the cut goes through is found. */
  evidenceKeptBytes: 2 * evidenceBodyBytesMax,
  evidenceHeadersMax: 40,
  evidenceHeaderValueCharsMax: 512,
  /** Of where a redirect led, in the message of a failure. */
  redirectUrlCharsMax: 160,
  /** How long a check reads the body with which a WebSocket was refused. */
  refusalMs: 500,
  /** Of what a check sends: values that are masked in evidence. */
  redactedValuesMax: 200,
  /** Shorter values are words that would be masked all over a page. */
  redactedCharsMin: 4,
  /** Characters of all such values; of what is longer the beginnings are looked for. */
  redactedSecretCharsMax: 96 * 1024,
  /** Characters of a text in which they are masked. */
  redactedTextCharsMax: 32 * 1024,
  /** Of all messages that one check reads from a WebSocket. */
  websocketBytesMax: 64 * 1024,
  websocketFramesMax: 1_000,
  /** Certificates of one chain, names in one of them, and characters of one field. */
  certificatesShownMax: 10,
  certificateNamesMax: 500,
  /** Names of a certificate that the message of a failure tells. */
  certificateNamesTold: 3,
  certificateTextCharsMax: 500,
  rsaBitsMin: 2_048,
  ecBitsMin: 224,
  staplePartsMax: 1_000,
  /** Read from a TCP target, of which more is not looked at. */
  tcpBytesMax: 64 * 1024,
  /** A TCP target that says nothing for so long has said what it had to say. */
  tcpQuietMs: 200,
  /** Looking at what a TCP target said takes at most one part in so many of the time. */
  tcpExamineShare: 20,
  smtpLineBytesMax: 2_048,
  smtpReplyLinesMax: 100,
  smtpBytesMax: 64 * 1024,
  /** How long a check waits for the answer to its QUIT. */
  smtpGoodbyeMs: 500,
  pingProcessesMax: 50,
  pingOutputBytesMax: 16 * 1024,
  /** How long ping may take to show that it works, and when it may try again after it did not. */
  pingTrialMs: 500,
  pingRetryMs: 60_000,
} as const
