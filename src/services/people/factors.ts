// The second factor: codes from an authenticator app, and recovery codes in case it is lost.
import { randomBytes } from 'node:crypto'
import { renderSVG } from 'uqr'
import type { Clock } from '../../base/clock.ts'
import { Fault, rateLimited } from '../../base/fault.ts'
import type { UserId } from '../../base/ids.ts'
import { createLimiter } from '../../base/limiter.ts'
import { laterTurn } from '../../base/yielding.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import { base32, matchingStep, otpauthUrl, totpSecretBytes } from '../../domain/sign-in/totp.ts'
import type { Letter } from '../../mail/letter.ts'
import {
  type FactorNotice,
  factorOffLetter,
  factorOnLetter,
  recoveryUsedLetter,
} from '../../mail/letters/factors.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import { languageOf } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { Factor } from '../../store/tables/sign-in/factors.ts'
import type { Caller, SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'
import type { TrustedDevices } from './trusted-devices.ts'

/** Shown once. */
export interface Enrolment {
  /** Base32, for typing if the QR code cannot be scanned. */
  readonly secret: string
  readonly otpauthUrl: string
  /** The URL as a QR code: dark on light, without scripts or external resources. */
  readonly qrSvg: string
}

/** What a sign-in brings for the second factor. */
export interface SecondProof {
  readonly totp?: string | undefined
  /** The cookie of a device that was remembered. */
  readonly trusted?: string | undefined
}

export interface FactorsDeps {
  readonly trustedDevices: Pick<TrustedDevices, 'isTrusted' | 'noteUse'>
}

export type Factors = ReturnType<typeof createFactors>

export function createFactors(core: Core, { trustedDevices }: FactorsDeps) {
  const { store, clock, box, audit } = core
  const prove = createProof(core)
  const sendNotice = createNotices(core)

  function confirmed(userId: UserId): Factor | undefined {
    const factor = store.factors.get(userId)
    return factor?.confirmedAtMs == null ? undefined : factor
  }

  /** Whether a sign-in with this lacks a code. */
  function isCodeMissing(userId: UserId, { totp = '', trusted }: SecondProof): boolean {
    return (
      totp === '' && confirmed(userId) !== undefined && !trustedDevices.isTrusted(userId, trusted)
    )
  }

  return {
    isEnrolled: (userId: UserId) => confirmed(userId) !== undefined,

    isCodeMissing,

    /**
     * Accepts a code or a recovery code, once, or the cookie of a trusted device; nothing without a
     * second factor. Returns whether a code was entered. Throws totp_required without a code,
     * invalid_credentials, rate_limited. Attempts count even though the transaction is rolled back.
     */
    demand(tx: Tx, caller: Caller, userId: UserId, proof: SecondProof): boolean {
      const factor = confirmed(userId)
      if (!factor) return false
      if (isCodeMissing(userId, proof)) {
        throw new Fault('totp_required', 'Add totp: the code of your app, or a recovery code.')
      }
      if (proof.totp) {
        prove(tx, caller, factor, proof.totp)
        return true
      }
      trustedDevices.noteUse(tx, userId, proof.trusted)
      return false
    },

    /** The same if the code itself is the proof: throws conflict without a second factor. */
    prove(tx: Tx, caller: Caller, userId: UserId, code: string): void {
      prove(tx, caller, confirmed(userId) ?? notOn(), code)
    },

    /** Replaces a secret that was never confirmed. Throws conflict after confirmation. */
    async enrol(caller: SignedInCaller): Promise<Enrolment> {
      const { userId } = caller.principal
      const secret = randomBytes(totpSecretBytes)
      const { email } = await store.write((tx) => {
        if (confirmed(userId)) throw alreadyOn()
        store.factors.put(tx, newFactor(userId, box.seal(secret.toString('base64url')), clock))
        audit.noteIn(tx, 'system', caller, { action: 'totp.begun', objectId: userId })
        return userOf(store, userId)
      })
      const url = otpauthUrl(secret, issuerOf(core.baseUrl), email)
      // If many are written together, one is drawn in each turn.
      await laterTurn()
      // The border lets a camera find the edge of the code.
      const qrSvg = renderSVG(url, { border: 4, whiteColor: '#ffffff', blackColor: '#000000' })
      return { secret: base32(secret), otpauthUrl: url, qrSvg }
    },

    /** Sign-ins require a code from now on. Throws conflict, invalid_credentials, rate_limited. */
    confirm(
      caller: SignedInCaller,
      code: string,
    ): Promise<{ readonly recoveryCodes: readonly string[] }> {
      const { userId } = caller.principal
      return store.write((tx) => {
        const factor = store.factors.get(userId)
        if (!factor) throw new Fault('conflict', 'There is nothing to confirm: enrol first.')
        if (factor.confirmedAtMs !== null) throw alreadyOn()
        prove(tx, caller, factor, code)
        const recoveryCodes = mintRecoveryCodes()
        const recoveryHashes = recoveryCodes.map(recoveryHash)
        const proven = store.factors.get(userId) ?? factor
        store.factors.put(tx, { ...proven, confirmedAtMs: clock.nowMs(), recoveryHashes })
        store.trustedDevices.forgetUser(tx, userId)
        audit.noteIn(tx, 'system', caller, { action: 'totp.enabled', objectId: userId })
        sendNotice(tx, userOf(store, userId), caller, factorOnLetter)
        return { recoveryCodes }
      })
    },

    /** Throws conflict, invalid_credentials, rate_limited. */
    turnOff(caller: SignedInCaller, code: string): Promise<void> {
      const { userId } = caller.principal
      return store.write((tx) => {
        prove(tx, caller, confirmed(userId) ?? notOn(), code)
        store.factors.remove(tx, userId)
        store.trustedDevices.forgetUser(tx, userId)
        audit.noteIn(tx, 'system', caller, { action: 'totp.disabled', objectId: userId })
        sendNotice(tx, userOf(store, userId), caller, (place) =>
          factorOffLetter({ ...place, by: 'you' }),
        )
      })
    },

    /** The operator removes the factor of a person who lost it; false if there was none. */
    reset(tx: Tx, caller: Caller, userId: UserId): boolean {
      const factor = store.factors.get(userId)
      if (!factor) return false
      store.factors.remove(tx, userId)
      store.trustedDevices.forgetUser(tx, userId)
      audit.noteIn(tx, 'system', caller, { action: 'totp.reset', objectId: userId })
      const user = store.users.get(userId)
      if (user && factor.confirmedAtMs !== null) {
        sendNotice(tx, user, undefined, (place) => factorOffLetter({ ...place, by: 'operator' }))
      }
      return true
    },
  }
}

/** Codes that one person tries; correct ones count too. */
const totpTries = { quota: 96, windowSeconds: 86_400 } as const

/** Checks a code against a factor and uses it up, or throws; counts every attempt. */
function createProof(core: Core) {
  const { store, clock, box, audit } = core
  // In memory, because a wrong code rolls back its transaction, which would undo a stored count.
  const tries = createLimiter(totpTries, limits.rateKeysMax)
  const sendNotice = createNotices(core)

  function count(userId: UserId, nowMs: number): void {
    const { isAllowed, retryMs } = tries.take(userId, nowMs)
    if (isAllowed) return
    throw rateLimited(retryMs, (seconds) => `Too many codes; try again in ${seconds} s`)
  }

  return (tx: Tx, caller: Caller, factor: Factor, code: string): void => {
    const nowMs = clock.nowMs()
    const { userId, lastStep } = factor
    count(userId, nowMs)
    const plain = code.replace(/[\s-]/g, '')
    const secret = Buffer.from(box.open(factor.sealedSecret), 'base64url')
    const step = matchingStep(secret, plain, { nowMs: clock.wallMs(), lastStep })
    if (step !== undefined) {
      store.factors.put(tx, { ...factor, lastStep: step })
      return
    }
    const used = recoveryHash(plain)
    if (!factor.recoveryHashes.includes(used)) {
      throw new Fault('invalid_credentials', 'The code is wrong, or it was used before.')
    }
    const recoveryHashes = factor.recoveryHashes.filter((hash) => hash !== used)
    store.factors.put(tx, { ...factor, recoveryHashes })
    const left = recoveryHashes.length
    const note = { action: 'recovery_code.used', objectId: userId, detail: `${left} left` } as const
    audit.noteIn(tx, 'system', caller, note)
    const user = store.users.get(userId)
    if (!user) return
    sendNotice(tx, user, caller, (place) => recoveryUsedLetter({ ...place, left }))
  }
}

function createNotices({ store, clock, mailer, baseUrl }: Core) {
  /** `by`: who acts as the person; undefined for somebody else. */
  return (tx: Tx, user: User, by: Caller | undefined, letter: (notice: FactorNotice) => Letter) => {
    const language = languageOf(store, user, by?.language)
    mailer.enqueue(tx, user.email, letter({ baseUrl, atMs: clock.nowMs(), language }))
  }
}

function newFactor(userId: UserId, sealedSecret: string, clock: Clock): Factor {
  const createdAtMs = clock.nowMs()
  return {
    userId,
    sealedSecret,
    createdAtMs,
    confirmedAtMs: null,
    lastStep: null,
    recoveryHashes: [],
  }
}

const recoveryCodeBytes = 10

function mintRecoveryCodes(): string[] {
  return Array.from({ length: limits.recoveryCodes }, () => {
    const text = base32(randomBytes(recoveryCodeBytes)).toLowerCase()
    return text.match(/.{4}/g)?.join('-') ?? text
  })
}

/** The hash of a recovery code, after normalizing what was typed. */
function recoveryHash(code: string): string {
  return hashToken(code.replace(/[\s-]/g, '').toLowerCase())
}

/** The name that the app shows: the host, because people use several installations. */
function issuerOf(baseUrl: string): string {
  return `stillup ${new URL(baseUrl).hostname.replace(/[[\]:]+/g, '.')}`
}

function userOf(store: Store, userId: UserId): User {
  const user = store.users.get(userId)
  if (!user) throw new Fault('unauthenticated')
  return user
}

function alreadyOn(): Fault {
  return new Fault('conflict', 'The second factor is on. Turn it off before you enrol again.')
}

function notOn(): never {
  throw new Fault('conflict', 'The second factor is not on.')
}
