// One of every letter, as test/mail/letters.test.ts compares them with what is written down.

import type { ImportId } from '../../src/base/ids.ts'
import {
  backupNotice,
  restoreNotice,
  standbyNotice,
} from '../../src/domain/alerts/system-notice.ts'
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
import { locationLetter } from '../../src/mail/letters/location-trouble.ts'
import { observerLetter } from '../../src/mail/letters/observer.ts'
import {
  passkeyAddedLetter,
  passkeyRemovedLetter,
  passkeysResetLetter,
} from '../../src/mail/letters/passkeys.ts'
import { passwordChanged, passwordReset } from '../../src/mail/letters/password.ts'
import { shadowLetter } from '../../src/mail/letters/shadow-run.ts'
import { identityLinkedLetter, signInLetter } from '../../src/mail/letters/sign-in.ts'
import { noticeLetter } from '../../src/mail/letters/system-notice.ts'
import { testLetter } from '../../src/mail/letters/test-letter.ts'
import { verificationEnded } from '../../src/mail/letters/verification.ts'
import type { Language } from '../../src/texts/languages.ts'

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
const silence = {
  baseUrl,
  location: hostileName,
  orgName: hostileName,
  silentSinceMs: atMs,
  isOver: false,
}
const shadowRun = {
  ...{ baseUrl, organization: hostileName, monitors: 37, sinceMs: atMs, isHeard: true },
  importId: 'imp_01arz3ndektsv4rrffq69g5fav' as ImportId,
  counts: { both: 3, onlyTheirs: 1, onlyOurs: 2, notCompared: 5 },
}
const askedFrom = { address: '192.0.2.7', userAgent: hostileName }

const alert = {
  subject: 'API is down',
  title: 'Resolved: API is down',
  facts: [
    { label: 'Cause', value: 'expected status 200, found 503' },
    { label: 'Monitors', value: hostileName },
    { label: 'Update', value: 'A disk is full.\n<b>We</b> replace it.' },
    { label: 'Lasted', value: '1 h 1 min' },
  ],
  links: [
    { label: 'View incident', url },
    { label: 'Run-book', url: `${baseUrl}/run-book` },
    { label: 'Not a place', url: 'javascript:alert(1)' },
  ],
  language: 'en',
  footer: ['You get this because the channel lists your address.', `${hostileName} · ${baseUrl}`],
  unsubscribe: { label: 'Stop these letters', url: `${baseUrl}/unsubscribe/token` },
} as const

const tables = new Map([
  ['standings', 2],
  ['monitors', 1],
])

const restored = {
  backup: 'stillup-2026-01-02.zst',
  takenAtMs: atMs,
  isAutomatic: true,
  reason: hostileName,
  keptIn: '/data/damaged',
}

/**
 * Each letter by the name of its file in `test/mail/letters/`. Add a line for each letter in
 * `src/mail/letters/`; the test writes the file of a new one when it runs with `TAP_SNAPSHOT=1`.
 */
export const letterSamples = lettersIn('en')

/** The same in any language; those that tell of an incident get their words from elsewhere. */
export function lettersIn(language: Language): Readonly<Record<string, Letter>> {
  return {
    plain: letterOf({
      language,
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
    'address-verify': addressToVerify({ url, language }),
    'address-change-confirm': addressToConfirm({ ...move, url, language }),
    'address-change-asked': addressChangeAsked({ ...move, url, language }),
    'address-change-taken': addressAlreadyHasAccount({ ...move, language }),
    'address-changed': addressChanged({ ...move, language }),
    'channel-failing': channelFailingLetter({ ...trouble, language }),
    'channel-recovered': channelRecoveredLetter({ ...trouble, language }),
    'location-silent': locationLetter(silence, language),
    'location-silent-shared': locationLetter({ ...silence, orgName: null }, language),
    'location-back': locationLetter({ ...silence, isOver: true }, language),
    'shadow-run': shadowLetter({ ...shadowRun, language }),
    'shadow-run-unheard': shadowLetter({ ...shadowRun, monitors: 1, isHeard: false, language }),
    damage: damageLetter({ baseUrl, tables }, language),
    'standby-alone': noticeLetter(standbyNotice(baseUrl, atMs, language), language),
    'standby-again': noticeLetter(standbyNotice(baseUrl, null, language), language),
    backup: noticeLetter(backupNotice(baseUrl, atMs, { reason: null }, language), language),
    restore: noticeLetter(restoreNotice(baseUrl, restored, language), language),
    'factor-on': factorOnLetter({ ...place, language }),
    'factor-off': factorOffLetter({ ...place, by: 'you', language }),
    'factor-off-by-operator': factorOffLetter({ ...place, by: 'operator', language }),
    'factor-recovery-used': recoveryUsedLetter({ ...place, left: 7, language }),
    'factor-recovery-nearly-used-up': recoveryUsedLetter({ ...place, left: 1, language }),
    'passkey-added': passkeyAddedLetter({ ...place, name: hostileName, language }),
    'passkey-removed': passkeyRemovedLetter({ ...place, name: hostileName, language }),
    'passkeys-reset': passkeysResetLetter({ ...place, language }),
    'identity-linked': identityLinkedLetter({ ...place, label: 'Example & Sons', language }),
    invitation: invitationLetter({
      organizationName: hostileName,
      inviterName: hostileName,
      role: 'member',
      inviterEmail: 'boss@example.test',
      url,
      expiresAtMs: atMs,
      language,
    }),
    'invitation-without-name': invitationLetter({
      organizationName: 'Acme',
      inviterName: null,
      role: 'viewer',
      inviterEmail: 'boss@example.test',
      url,
      expiresAtMs: atMs,
      language,
    }),
    'observer-back': observerLetter(
      {
        baseUrl,
        fromMs: atMs,
        toMs: atMs + 3_600_000,
        heldMonitors: 12,
        untold: 0,
        lost: ['ipv4', 'dns'],
      },
      language,
    ),
    'observer-long': observerLetter(
      {
        baseUrl,
        fromMs: atMs,
        toMs: null,
        heldMonitors: 1,
        untold: 0,
        lost: ['dns'],
      },
      language,
    ),
    'key-expiry': keyExpiryLetter({
      organizationName: hostileName,
      keyName: hostileName,
      prefix: 'su_abcd',
      expiresAtMs: atMs,
      daysLeft: 7,
      isRefused: false,
      language,
    }),
    'key-expiry-ended': keyExpiryLetter({
      ...{ organizationName: 'Acme', keyName: 'Deploy', prefix: 'sup_abcd' },
      ...{ expiresAtMs: atMs, daysLeft: 30, isRefused: true, language },
    }),
    'ended-key': endedKeysLetter({
      language,
      organizationName: hostileName,
      keys: [{ name: hostileName, prefix: 'sup_abcd' }],
    }),
    'ended-keys': endedKeysLetter({
      language,
      organizationName: 'Acme',
      keys: Array.from({ length: 22 }, (_, n) => ({ name: `Key ${n}`, prefix: 'sup_abcd' })),
    }),
    'password-reset': passwordReset({ url, ...askedFrom, language }),
    'password-changed': passwordChanged({
      how: 'reset',
      hasPasskeys: true,
      ...askedFrom,
      language,
    }),
    'sign-in': signInLetter({
      url,
      baseUrl,
      minutes: 10,
      askedAtMs: atMs,
      address: '192.0.2.7',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      isNew: false,
      language,
    }),
    'sign-in-new': signInLetter({
      url,
      baseUrl,
      minutes: 10,
      askedAtMs: atMs,
      address: '192.0.2.7',
      userAgent: hostileName,
      isNew: true,
      language,
    }),
    'test-letter': testLetter({ service: baseUrl, server: 'mail.example.test:465', language }),
    'verification-approved': verificationEnded({
      state: 'approved',
      reason: null,
      service: baseUrl,
      language,
    }),
    'verification-rejected': verificationEnded({
      state: 'rejected',
      reason: hostileName,
      service: baseUrl,
      language,
    }),
  }
}
