// The closed catalogue of errors that a caller can receive: code → status and title.

/** One entry per code. A retired code stays here as a comment and is never used again. */
export const faults = {
  malformed_json: { status: 400, title: 'Malformed JSON' },
  invalid_parameter: { status: 400, title: 'Invalid parameter' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  unauthenticated: { status: 401, title: 'Not authenticated' },
  invalid_credentials: { status: 401, title: 'Invalid credentials' },
  totp_required: { status: 401, title: 'Second factor required' },
  forbidden: { status: 403, title: 'Forbidden' },
  reauthentication_required: { status: 403, title: 'Recent sign-in required' },
  csrf_rejected: { status: 403, title: 'Cross-site request rejected' },
  registration_closed: { status: 403, title: 'Registration is closed' },
  kyc_required: { status: 403, title: 'Identity verification required' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  slug_taken: { status: 409, title: 'Slug is taken' },
  subdomain_taken: { status: 409, title: 'Subdomain is taken' },
  hostname_taken: { status: 409, title: 'Hostname is taken' },
  email_taken: { status: 409, title: 'E-mail address is taken' },
  last_owner: { status: 409, title: 'An organization needs an owner' },
  already_member: { status: 409, title: 'Already a member' },
  link_expired: { status: 410, title: 'Link expired' },
  monitor_paused: { status: 410, title: 'Monitor is paused' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  validation_failed: { status: 422, title: 'Validation failed' },
  target_not_allowed: { status: 422, title: 'Target not allowed' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  damaged_record: { status: 500, title: 'Damaged record' },
  unavailable: { status: 503, title: 'Unavailable' },
  storage_full: { status: 503, title: 'Storage is full' },
  shutting_down: { status: 503, title: 'Shutting down' },
} as const satisfies Record<string, { status: number; title: string }>

export type FaultCode = keyof typeof faults

/** One invalid field: an RFC 6901 pointer into the body, the broken rule, and a sentence. */
export interface FieldProblem {
  readonly pointer: string
  readonly keyword: string
  readonly message: string
}

/** A name as one part of an RFC 6901 pointer. */
export function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

export interface FaultOptions {
  readonly errors?: readonly FieldProblem[]
  /** Extra response headers, such as Allow or Retry-After. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

/** The caller asked for the impossible. Services throw it; http/output/problems.ts answers it. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly errors: readonly FieldProblem[]
  readonly headers: readonly (readonly [string, string])[]

  constructor(code: FaultCode, detail: string = faults[code].title, options: FaultOptions = {}) {
    super(detail)
    this.code = code
    this.errors = options.errors ?? []
    this.headers = options.headers ?? []
  }

  get status(): number {
    return faults[this.code].status
  }
}

/** Makes a 404; what is foreign gets the same words as what does not exist. */
export function notFound(what: string): Fault {
  return new Fault('not_found', `There is no such ${what}.`)
}

/** Makes a 422 for one field; the detail names the field and the rule. */
export function invalidField(pointer: string, keyword: string, message: string): Fault {
  const name = pointer.replace(/^\//, '').replaceAll('/', '.') || 'body'
  const errors = [{ pointer, keyword, message }]
  return new Fault('validation_failed', `${name} ${message}`, { errors })
}

/** Makes a 400 for one parameter of a query; the detail names the parameter and the rule. */
export function invalidParameter(name: string, keyword: string, message: string): Fault {
  const errors = [{ pointer: `/${name}`, keyword, message }]
  return new Fault('invalid_parameter', `${name} ${message}`, { errors })
}

/** Throws a 422 with all the problems, if there are any; the detail names the first. */
export function refuseInvalid(errors: readonly FieldProblem[]): void {
  const [first] = errors
  if (!first) return
  const name = first.pointer.slice(1).replaceAll('/', '.')
  throw new Fault('validation_failed', `${name} ${first.message}`, { errors })
}

/** Makes a 429 with Retry-After; `detail` receives the whole seconds to wait, at least one. */
export function rateLimited(waitMs: number, detail: (seconds: number) => string): Fault {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new Fault('rate_limited', detail(seconds), { headers: [['Retry-After', String(seconds)]] })
}
