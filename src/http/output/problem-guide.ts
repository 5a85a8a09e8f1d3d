// What each problem means and what to do about it: for the OpenAPI document and the pages of problems.
import type { FaultCode, FieldProblem } from '../../base/fault.ts'

export interface ProblemGuide {
  /** One or two sentences: what happened. */
  readonly meaning: string
  /** One or two sentences: what to do now. */
  readonly remedy: string
  /** What `detail` says in one case. */
  readonly detail: string
  /** The path of the request in that case. */
  readonly instance: string
  readonly errors?: readonly FieldProblem[]
}

const org = '/api/v1/orgs/org_01kaqz7h3e5g7j9m1p3r5t7v9x'
const monitor = `${org}/monitors/mon_01kar2d4f6h8k0n2q4s6v8x0z2`

export const problemGuide: Readonly<Record<FaultCode, ProblemGuide>> = {
  malformed_json: {
    meaning: 'The body is not valid JSON, or names a field twice.',
    remedy: 'Check the body with a JSON parser; `detail` says what is wrong with it.',
    detail: 'A key occurs twice in one object',
    instance: `${org}/monitors`,
  },
  invalid_parameter: {
    meaning: 'A query parameter, a path or a header has a value that cannot be used.',
    remedy: 'Correct the value that `detail` names, then send the request again.',
    detail: 'The parameter limit came twice',
    instance: `${org}/monitors`,
  },
  invalid_cursor: {
    meaning: 'The `cursor` is not from this list, or the filters were changed since.',
    remedy: 'Use `meta.nextCursor` as it came, with the same filters, or start without a cursor.',
    detail: 'The cursor does not belong to this list',
    instance: `${org}/incidents`,
  },
  unauthenticated: {
    meaning: 'The request has no credential, or one that is wrong, revoked or expired.',
    remedy:
      'Sign in again, or send an API key of the organization as `x-api-key` or ' +
      '`Authorization: Bearer`.',
    detail: 'A valid session or API key is required.',
    instance: `${org}/monitors`,
  },
  invalid_credentials: {
    meaning: 'The password, the code or the answer of the sign-in provider is wrong.',
    remedy: 'Correct it. A forgotten password is replaced with POST /api/v1/auth/password/forgot.',
    detail: 'The e-mail address or the password is wrong.',
    instance: '/api/v1/auth/login',
  },
  totp_required: {
    meaning: 'The password is right, and the account also has a second factor.',
    remedy: 'Send the same request with `totp`: the code of the app, or a recovery code.',
    detail: 'Add totp: the code of your app, or a recovery code.',
    instance: '/api/v1/auth/login',
  },
  forbidden: {
    meaning:
      'The credential is valid, but may not do this: the role is too low, or it is an API key.',
    remedy: 'Use a credential with the role that `detail` names, or ask an admin for that role.',
    detail: 'This requires the role admin; yours is viewer.',
    instance: `${org}/alert-channels`,
  },
  reauthentication_required: {
    meaning: 'Sensitive actions need a sign-in within the last 15 minutes; yours is older.',
    remedy: 'Confirm your password with POST /api/v1/auth/reauthenticate, then try again.',
    detail: 'Confirm your password, then try again',
    instance: `${org}/api-keys`,
  },
  csrf_rejected: {
    meaning: 'The browser says that another site caused this request with your session.',
    remedy:
      'Call from a page of this service, or use an API key instead of the cookie. If this is a ' +
      'page of this service, the operator has to set `http.baseUrl` to its public address.',
    detail: 'The Origin is another site',
    instance: `${org}/monitors`,
  },
  registration_closed: {
    meaning: 'This service does not accept new accounts in this way.',
    remedy:
      'Ask for an invitation and open its link. The operator decides with `auth.registration`.',
    detail: 'New accounts need an invitation.',
    instance: '/api/v1/auth/register',
  },
  kyc_required: {
    meaning: 'The operator requires a verified identity for this action.',
    remedy: 'Submit your details with POST /api/v1/identity/kyc/verify and wait for the decision.',
    detail: 'An owner of this organization must verify their identity first.',
    instance: `${org}/monitors`,
  },
  not_found: {
    meaning:
      'There is nothing at this address, or it belongs to an organization that you are not in. ' +
      'Both get the same answer.',
    remedy: 'Check the address and its ids, and whether the credential is of that organization.',
    detail: 'There is no such alert channel.',
    instance: `${org}/alert-channels/chn_01karj5k7m9p1r3t5w7y9a1c3e`,
  },
  method_not_allowed: {
    meaning: 'The address exists, but not with this method.',
    remedy: 'Use one of the methods in the header `Allow`.',
    detail: 'Method not allowed',
    instance: `${org}/summary`,
  },
  conflict: {
    meaning: 'The request does not fit the present state, or a quota is used up.',
    remedy: 'Read the object again: `detail` says what is in the way.',
    detail: 'The monitor is paused: resume it first.',
    instance: monitor,
  },
  slug_taken: {
    meaning: 'Another status page of this service has this slug.',
    remedy: 'Choose another `slug`, or leave it out: then it is made from the name.',
    detail: 'The slug acme is taken.',
    instance: `${org}/status-pages`,
  },
  subdomain_taken: {
    meaning: 'Another status page of this service has this subdomain.',
    remedy: 'Choose another `subdomain`.',
    detail: 'The subdomain acme is taken.',
    instance: `${org}/status-pages/pag_01karm2n4q6s8v0x2z4b6d8f0h/subdomain`,
  },
  hostname_taken: {
    meaning: 'Another organization has proven that this host name is its own.',
    remedy: 'Use another one. If it is yours, the other organization has to delete its domain.',
    detail: 'The host name status.example.com is taken.',
    instance: `${org}/custom-domains`,
  },
  email_taken: {
    meaning: 'Another account has this e-mail address.',
    remedy: 'Sign in to that account, or use another address.',
    detail: 'There is already an account with this e-mail address.',
    instance: '/api/v1/auth/register',
  },
  last_owner: {
    meaning: 'An organization always has an owner, and this would remove the last one.',
    remedy: 'Make another member an owner first, or delete the organization.',
    detail: 'This is the last owner; make somebody else an owner first.',
    instance: `${org}/members`,
  },
  already_member: {
    meaning: 'The person is already a member of the organization.',
    remedy: 'Nothing is left to do. Change the role with PATCH …/members.',
    detail: 'The person with this address is already a member.',
    instance: `${org}/invites`,
  },
  link_expired: {
    meaning: 'The link was used, replaced by a newer one, or is too old.',
    remedy: 'Request a new link, and open the newest letter.',
    detail: 'This link was used, was replaced by a newer one, or has expired.',
    instance: '/api/v1/auth/password/reset',
  },
  monitor_paused: {
    meaning: 'The monitor of this push token is paused and takes no reports.',
    remedy: 'Resume the monitor, or stop the sender.',
    detail: 'The monitor is paused.',
    instance: '/api/v1/push/spp_aq7Rk2mXw9TzB4vNcH8sLdJ6fPyG1aE0aBcDe',
  },
  precondition_failed: {
    meaning: 'The object was changed after the version that `If-Match` names.',
    remedy: 'Read it again, apply your change to that version, and send its `ETag` as `If-Match`.',
    detail: 'The monitor was changed in the meantime.',
    instance: monitor,
  },
  body_too_large: {
    meaning: 'The body is larger than this operation accepts.',
    remedy: 'Send less at once, for example several bulk requests; `detail` states the limit.',
    detail: 'The body is larger than 65536 bytes',
    instance: `${org}/monitors`,
  },
  unsupported_media_type: {
    meaning: 'The body is not of a type that this operation reads.',
    remedy: 'Send JSON with the header `Content-Type: application/json`.',
    detail: 'The Content-Type must be application/json',
    instance: `${org}/monitors`,
  },
  validation_failed: {
    meaning: 'One or several fields of the request break a rule.',
    remedy:
      'Correct every entry of `errors`: `pointer` names the field (RFC 6901), `message` the rule.',
    detail: 'intervalMinutes must be at least 1',
    instance: `${org}/monitors`,
    errors: [
      { pointer: '/intervalMinutes', keyword: 'minimum', message: 'must be at least 1' },
      { pointer: '/url', keyword: 'required', message: 'is required' },
    ],
  },
  target_not_allowed: {
    meaning: 'The address leads to a network that this service does not call.',
    remedy:
      'Use a public address, or check it only from locations whose probes may reach it, without ' +
      '`home`. For targets in its own network the operator sets `checks.targets` or `checks.allow`.',
    detail: 'url leads to a private address, which is not allowed',
    instance: `${org}/monitors`,
    errors: [
      {
        pointer: '/url',
        keyword: 'target',
        message: 'leads to a private address, which is not allowed',
      },
    ],
  },
  idempotency_key_reused: {
    meaning: 'This `Idempotency-Key` was used for another request of yours.',
    remedy: 'Repeat a request only with its own key and body; take a new key for a new one.',
    detail: 'This Idempotency-Key was used before with a different body',
    instance: `${org}/monitors`,
  },
  rate_limited: {
    meaning: 'There were too many requests in a short time.',
    remedy: 'Wait as many seconds as `Retry-After` says; `RateLimit` shows what is left.',
    detail: 'Too many requests; try again in 12 s',
    instance: `${org}/monitors`,
  },
  internal: {
    meaning: 'Something failed inside this service. It is logged with the `requestId`.',
    remedy: 'Try again later, and give the operator the `requestId` if it happens again.',
    detail: 'Something went wrong here',
    instance: `${org}/summary`,
  },
  damaged_record: {
    meaning:
      'What is stored of this object is damaged on the disk: it exists, but cannot be read. The' +
      ' operator has been told, and everything else goes on.',
    remedy:
      'Ask the operator whether a backup has it, or create it again. A damaged monitor, status' +
      ' page, alert channel or API key can be deleted.',
    detail: 'A stored record that this needs is damaged. The operator has been told.',
    instance: monitor,
  },
  unavailable: {
    meaning: 'The service cannot do this at the moment. Nothing was changed.',
    remedy: 'Try again after the seconds in `Retry-After`.',
    detail: 'The request took too long; nothing was changed.',
    instance: `${org}/import`,
  },
  storage_full: {
    meaning:
      'The disk of the service, or its budget for data, is used up: nothing new can be created, and checks continue.',
    remedy: 'The operator frees space, or raises the budget; then try again.',
    detail: 'There is no space left: nothing new can be stored',
    instance: `${org}/monitors`,
  },
  shutting_down: {
    meaning: 'The service is stopping, usually to start again at once.',
    remedy: 'Try again after the seconds in `Retry-After`.',
    detail: 'The service is shutting down',
    instance: `${org}/monitors`,
  },
}
