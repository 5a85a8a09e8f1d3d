// What an S3-compatible service refused, in a line that says what to change.
// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
import type { BytesAnswer } from '../net/http-client/guarded-client.ts'
import { retryAfterMs } from '../net/http-client/retry-after.ts'
import { fieldsOf, type XmlFields } from './answer-xml.ts'

/** An operation on the bucket failed. Its message is for the operator. */
export class BucketError extends Error {
  override readonly name = 'BucketError'
  /** The code of the service, such as `NoSuchKey`; '' if it gave none. */
  readonly code: string
  /** Another attempt may succeed. */
  readonly mayRetry: boolean
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    options: { code?: string; mayRetry?: boolean; retryAfterMs?: number | undefined } = {},
  ) {
    super(message)
    this.code = options.code ?? ''
    this.mayRetry = options.mayRetry ?? false
    this.retryAfterMs = options.retryAfterMs
  }
}

/** What was attempted, for the message. */
export interface BucketAttempt {
  /** The right that a policy grants, such as `s3:PutObject`. */
  readonly right: string
  readonly bucketName: string
  readonly endpoint: string
  readonly region: string
  readonly wallMs: number
}

export type BucketAnswer = Extract<BytesAnswer, { kind: 'answered' }>

/** Statuses and codes of troubles that pass. */
const passing = {
  statuses: [408, 429, 500, 502, 503, 504],
  codes: ['SlowDown', 'InternalError', 'RequestTimeout', 'ServiceUnavailable', 'OperationAborted'],
}

/** The longest pause that the service can ask for. */
const bucketPauseMsMax = 5 * 60_000
const bucketReasonCharsMax = 200

/** The problem that an answer tells of; undefined if it is a success. */
export function problemOf(answer: BytesAnswer, attempt: BucketAttempt): BucketError | undefined {
  if (answer.kind === 'refused') return new BucketError(`backup.bucketUrl: ${answer.reason}`)
  if (answer.kind === 'failed') return unreachable(answer, attempt)
  const { status } = answer
  const isFine = status >= 200 && status < 300
  const error = errorIn(answer)
  // An operation that takes long begins its answer before it knows whether it will succeed.
  if (isFine && error === undefined) return undefined
  const code = error?.Code ?? (answer.body.length === 0 ? codeOf(status) : '')
  const mayRetry = passing.statuses.includes(status) || passing.codes.includes(code)
  const header = answer.headers['retry-after']
  const pauseMs = retryAfterMs(header, attempt.wallMs, bucketPauseMsMax)
  const message = messageOf({ answer, attempt, code, error })
  return new BucketError(message, { code, mayRetry, retryAfterMs: pauseMs })
}

function unreachable(
  { cause, reason }: Extract<BytesAnswer, { kind: 'failed' }>,
  { endpoint }: BucketAttempt,
): BucketError {
  if (cause === 'tls') {
    const hint = 'if a private authority certified it, name that with backup.bucketCaFile'
    return new BucketError(`The certificate of ${endpoint} is not trusted: ${hint}. ${reason}`)
  }
  return new BucketError(`The server at ${endpoint} could not be reached: ${reason}`, {
    mayRetry: true,
  })
}

/** An answer that is not the content of an object. */
export const bucketAnswerBytesMax = 1024 * 1024

function errorIn({ status, body }: BucketAnswer): XmlFields | undefined {
  // What was stored is never taken for an error.
  if (status === 206 || body.length === 0 || body.length > bucketAnswerBytesMax) return
  const fields = fieldsOf(body.toString('utf8'), 'Error')
  return fields?.Code === undefined ? undefined : fields
}

/** An answer to HEAD has no body that would name the error. */
function codeOf(status: number): string {
  if (status === 404) return 'NoSuchKey'
  if (status === 403) return 'AccessDenied'
  return status === 412 ? 'PreconditionFailed' : ''
}

interface BucketRefusal {
  readonly answer: BucketAnswer
  readonly attempt: BucketAttempt
  readonly code: string
  readonly error: XmlFields | undefined
}

function messageOf({ answer, attempt, code, error }: BucketRefusal): string {
  const { bucketName, endpoint, region, right, wallMs } = attempt
  const { status, headers } = answer
  const rightRegion = headers['x-amz-bucket-region'] ?? error?.Region
  if (rightRegion !== undefined && rightRegion !== region && status >= 300 && status < 500) {
    return (
      `The bucket ${bucketName} is in the region ${rightRegion}: set backup.bucketRegion to it, ` +
      'and backup.bucketUrl if that names another region.'
    )
  }
  switch (code) {
    case 'InvalidAccessKeyId':
    case 'XAdminUserNotFound':
      return `The server at ${endpoint} does not know the access key: check backup.bucketAccessKey.`
    case 'SignatureDoesNotMatch':
      return (
        'The signature was refused: check backup.bucketSecretKey, and that no proxy before ' +
        `${endpoint} changes the Host header.`
      )
    case 'NoSuchBucket':
      return `There is no bucket ${bucketName} at ${endpoint}: create it, or check backup.bucketName.`
    case 'AccessDenied':
    case 'AllAccessDisabled':
    case 'AccountProblem':
      return (
        `The access key may not do this in the bucket ${bucketName}: grant it ${right}` +
        `${error?.Message === undefined ? '' : ` (${clipped(error.Message)})`}.`
      )
    case 'RequestTimeTooSkewed':
      return `The clock of this machine differs${skewOf(headers.date, wallMs)} from that of ${endpoint}: set it right.`
    case 'NoSuchKey':
      return 'The bucket has no such object.'
    case 'PreconditionFailed':
      return 'The object in the bucket was replaced while it was read.'
    case 'SlowDown':
      return `The server at ${endpoint} asks for fewer requests (SlowDown).`
    case '':
      break
    default:
      return `The server at ${endpoint} refused ${right}: ${code}${error?.Message === undefined ? '' : `: ${clipped(error.Message)}`} (${status}).`
  }
  if (status >= 300 && status < 400) {
    const to = headers.location === undefined ? '' : ` to ${clipped(headers.location)}`
    return `The server at ${endpoint} redirects${to}: set backup.bucketUrl to the address of the S3 service itself.`
  }
  if (status >= 500) return `The server at ${endpoint} answered ${status}.`
  return (
    `The server at ${endpoint} answered ${status}, and not as an S3-compatible service does: ` +
    'check backup.bucketUrl.'
  )
}

function skewOf(date: string | undefined, wallMs: number): string {
  const serverMs = Date.parse(date ?? '')
  if (!Number.isFinite(serverMs)) return ''
  return ` by ${Math.round(Math.abs(serverMs - wallMs) / 60_000)} minutes`
}

function clipped(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  return line.slice(0, bucketReasonCharsMax)
}
