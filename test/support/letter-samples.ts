// One of every letter, as test/mail/letters.test.ts compares them with what is written down.

import { backupNotice } from '../../src/domain/alerts/system-notice.ts'
import { type Letter, letterOf } from '../../src/mail/letter.ts'
import {
  addressAlreadyHasAccount,
  addressChangeAsked,
  addressChanged,
  addressToConfirm,
  addressToVerify,
} from '../../src/mail/letters/address-change.ts'
import { alertLetter } from '../../src/mail/letters/alert.ts'
import {
  channelFailingLetter,
  channelRecoveredLetter,
} from '../../src/mail/letters/channel-trouble.ts'
import { damageLetter } from '../../src/mail/letters/damage.ts'
import { endedKeysLetter } from '../../src/mail/letters/ended-keys.ts'
import {
  factorOffLetter,
  factorOnLetter,
  recoveryUsedLetter,
} from '../../src/mail/letters/factors.ts'
import { invitationLetter } from '../../src/mail/letters/invitation.ts'
import { keyExpiryLetter } from '../../src/mail/letters/key-expiry.ts'
import { observerLetter } from '../../src/mail/letters/observer.ts'
import {
  passkeyAddedLetter,
  passkeyRemovedLetter,
  passkeysResetLetter,
} from '../../src/mail/letters/passkeys.ts'
import { passwordChanged, passwordReset } from '../../src/mail/letters/password.ts'
import { identityLinkedLetter, signInLetter } from '../../src/mail/letters/sign-in.ts'
import { noticeLetter } from '../../src/mail/letters/system-notice.ts'
import { testLetter } from '../../src/mail/letters/test-letter.ts'
import { verificationEnded } from '../../src/mail/letters/verification.ts'

/** What a stranger may call themselves: it must stay one line, and text. */
export const hostileName =
  'Mallory\r\nBcc: all@evil.test\r\n\r\n<img src=x onerror="a()"> & Söhne ✓'

const baseUrl = 'https://up.test'
const url = `${baseUrl}/link?token=the-token&b=2`
const atMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const place = { baseUrl, atMs }
const move = { from: 'old@example.test', to: 'new@example.test' }
const trouble = {
  baseUrl,
  orgName: hostileName,
  channelName: hostileName,
  reason: 'The receiver answered 500.',
  failingSinceMs: atMs,
  pending: 3,
}
const askedFrom = { address: '192.0.2.7', userAgent: hostileName }

const alert = {
  subject: 'API is down',
  title: 'Resolved: API is down',
  facts: [
    { label: 'Cause', value: 'expected status 200, found 503' },
    { label: 'Monitors', value: hostileName },
    { label: 'Update', value: 'A disk is full.\n<b>We</b> replace it.' },
    { label: 'Lasted', value: '1 hr, 1 min' },
  ],
  links: [
    { label: 'View incident', url },
    { label: 'Run-book', url: `${baseUrl}/run-book` },
    { label: 'Not a place', url: 'javascript:alert(1)' },
  ],
  language: 'en',
  openInstead: 'Or open this address',
  footer: ['You get this because the channel lists your address.', `${hostileName} · ${baseUrl}`],
  unsubscribe: { label: 'Stop these letters', url: `${baseUrl}/unsubscribe/token` },
} as const

/**
 * Each letter by the name of its file in `test/mail/letters/`. Add a line for each letter in
 * `src/mail/letters/`; the test writes the file of a new one when it runs with `TAP_SNAPSHOT=1`.
 */
export const letterSamples: Readonly<Record<string, Letter>> = {
  plain: letterOf({
    subject: 'A letter',
    paragraphs: ['Hello.', `${hostileName} says hello.`],
    button: { label: 'Open it', url },
    footer: ['You get this because somebody wrote it.'],
  }),
  'alert-good': alertLetter({ ...alert, tone: 'good' }),
  'alert-in-arabic': alertLetter({
    ...alert,
    tone: 'bad',
    language: 'ar',
    title: `تعطّل ${hostileName}`,
    links: [],
    facts: [{ label: 'السبب', value: 'expected status 200, found 503', url }],
  }),
  'address-verify': addressToVerify({ url }),
  'address-change-confirm': addressToConfirm({ ...move, url }),
  'address-change-asked': addressChangeAsked({ ...move, url }),
  'address-change-taken': addressAlreadyHasAccount(move),
  'address-changed': addressChanged(move),
  'channel-failing': channelFailingLetter(trouble),
  'channel-recovered': channelRecoveredLetter(trouble),
  damage: damageLetter({
    baseUrl,
    tables: new Map([
      ['standings', 2],
      ['monitors', 1],
    ]),
  }),
  backup: noticeLetter(backupNotice(baseUrl, Date.parse('2026-11-20T03:00:00Z'), 'It is too old.')),
  'factor-on': factorOnLetter(place),
  'factor-off': factorOffLetter({ ...place, by: 'you' }),
  'factor-off-by-operator': factorOffLetter({ ...place, by: 'operator' }),
  'factor-recovery-used': recoveryUsedLetter({ ...place, left: 7 }),
  'factor-recovery-nearly-used-up': recoveryUsedLetter({ ...place, left: 1 }),
  'passkey-added': passkeyAddedLetter({ ...place, name: hostileName }),
  'passkey-removed': passkeyRemovedLetter({ ...place, name: hostileName }),
  'passkeys-reset': passkeysResetLetter(place),
  'identity-linked': identityLinkedLetter({ ...place, label: 'Example & Sons' }),
  invitation: invitationLetter({
    organizationName: hostileName,
    inviterName: hostileName,
    role: 'member',
    inviterEmail: 'boss@example.test',
    url,
    expiresAtMs: atMs,
  }),
  'invitation-without-name': invitationLetter({
    organizationName: 'Acme',
    inviterName: null,
    role: 'viewer',
    inviterEmail: 'boss@example.test',
    url,
    expiresAtMs: atMs,
  }),
  'observer-back': observerLetter({
    baseUrl,
    fromMs: atMs,
    toMs: atMs + 3_600_000,
    heldMonitors: 12,
    untold: 0,
    lost: ['the network over IPv4', 'the name servers'],
  }),
  'observer-long': observerLetter({
    baseUrl,
    fromMs: atMs,
    toMs: null,
    heldMonitors: 1,
    untold: 0,
    lost: ['the name servers'],
  }),
  'key-expiry': keyExpiryLetter({
    organizationName: hostileName,
    keyName: hostileName,
    prefix: 'su_abcd',
    expiresAtMs: atMs,
    daysLeft: 7,
    isRefused: false,
  }),
  'key-expiry-ended': keyExpiryLetter({
    ...{ organizationName: 'Acme', keyName: 'Deploy', prefix: 'sup_abcd' },
    ...{ expiresAtMs: atMs, daysLeft: 30, isRefused: true },
  }),
  'ended-key': endedKeysLetter({
    organizationName: hostileName,
    keys: [{ name: hostileName, prefix: 'sup_abcd' }],
  }),
  'ended-keys': endedKeysLetter({
    organizationName: 'Acme',
    keys: Array.from({ length: 22 }, (_, n) => ({ name: `Key ${n}`, prefix: 'sup_abcd' })),
  }),
  'password-reset': passwordReset({ url, ...askedFrom }),
  'password-changed': passwordChanged({ how: 'reset', hasPasskeys: true, ...askedFrom }),
  'sign-in': signInLetter({
    url,
    baseUrl,
    minutes: 10,
    askedAtMs: atMs,
    address: '192.0.2.7',
    browser: 'Firefox on Linux',
    isNew: false,
  }),
  'sign-in-new': signInLetter({
    url,
    baseUrl,
    minutes: 10,
    askedAtMs: atMs,
    address: '192.0.2.7',
    browser: hostileName,
    isNew: true,
  }),
  'test-letter': testLetter({ service: baseUrl, server: 'mail.example.test:465' }),
  'verification-approved': verificationEnded({
    state: 'approved',
    reason: null,
    service: baseUrl,
  }),
  'verification-rejected': verificationEnded({
    state: 'rejected',
    reason: hostileName,
    service: baseUrl,
  }),
}
