// Passkeys: added and removed by the person, and used to sign in or to confirm who is there. One counts as
// both factors, because it always checks the person by a PIN or a finger.
import { randomBytes } from 'node:crypto'
import { Fault, notFound } from '../../base/fault.ts'
import { newId, type PasskeyId, type UserId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import {
  creationOptions,
  type Passkey,
  passkeySite,
  passkeyState,
  requestOptions,
  userHandleOf,
} from '../../domain/sign-in/passkey.ts'
import {
  passkeyAddedLetter,
  passkeyRemovedLetter,
  passkeysResetLetter,
} from '../../mail/letters/passkeys.ts'
import {
  type CreatedCredential,
  type UsedCredential,
  verifiedCreation,
  verifiedUse,
} from '../../seal/passkey-proofs.ts'
import type { Tx } from '../../store/engine/write.ts'
import { languageOf } from '../../store/org-state.ts'
import {
  type Caller,
  type PageOf,
  type PageRequest,
  pageOf,
  type SignedInCaller,
} from '../context.ts'
import type { Core } from '../core.ts'
import type { Factors } from '../people/factors.ts'
import type { FreshSession, Sessions } from '../people/sessions.ts'
import { createFlows, type PasskeyPurpose } from './oidc-flow.ts'
import type { SignedIn, SignIns } from './sign-in.ts'

const passkeysPerUserMax = 20
const challengeBytes = 32

export interface PasskeysDeps {
  readonly signIns: SignIns
  readonly sessions: Pick<Sessions, 'freshen'>
  readonly factors: Pick<Factors, 'demand'>
}

/** What a browser is asked for, and the cookie that its answer comes with. */
interface Asked<Options> {
  readonly options: Options
  readonly flow: string
}

export function createPasskeys(core: Core, deps: PasskeysDeps) {
  const { store, clock, audit, mailer, baseUrl } = core
  const flows = createFlows(core)
  const state = passkeyState(baseUrl)
  const site = passkeySite(baseUrl)

  function mustBePossible(): void {
    if (state === 'possible') return
    const why =
      state === 'needs_https'
        ? 'http.baseUrl begins with http: browsers allow passkeys at https addresses, and at localhost.'
        : 'http.baseUrl has an IP address: browsers allow passkeys at addresses with a name.'
    throw new Fault('conflict', `Passkeys are not possible here. ${why}`)
  }

  function ask(purpose: PasskeyPurpose, userId: UserId | null) {
    mustBePossible()
    const challenge = randomBytes(challengeBytes).toString('base64url')
    const start = { provider: '', redirectUri: '', purpose, userId, challenge } as const
    const flow = flows.seal({ stage: 'passkey', ...start })
    return { challenge: { challenge, timeoutMs: limits.passkeyMs }, flow }
  }

  /** What is expected of an answer, once. Throws link_expired. */
  async function answered(sealed: string, purpose: PasskeyPurpose, userId: UserId | null) {
    mustBePossible()
    const flow = flows.open(sealed, '', 'passkey')
    await store.write((tx) => flows.spend(tx, flow))
    // A challenge for one purpose or person must not serve another.
    if (flow.purpose !== purpose || flow.userId !== userId) throw notVerified()
    return { ...site, challenge: flow.challenge }
  }

  /** The passkey of an answer, noted as used in the transaction of what follows from it. */
  async function proven<Done>(
    used: UsedCredential,
    expected: Awaited<ReturnType<typeof answered>>,
    proceed: (tx: Tx, passkey: Passkey) => Done,
  ): Promise<Done> {
    const found = store.passkeys.findByCredential(used.id)
    const verified = found && (await verifiedUse(used, found, expected))
    if (!found || !verified) throw notVerified()
    return store.write((tx) => {
      const passkey = store.passkeys.get(found.userId, found.id)
      // Of two answers at once only one has the next count; and it may be gone.
      if (passkey?.counter !== found.counter) throw notVerified()
      store.passkeys.put(tx, { ...passkey, ...verified, lastUsedAtMs: clock.nowMs() })
      return proceed(tx, passkey)
    })
  }

  function userOf(userId: UserId): User {
    const user = store.users.get(userId)
    if (!user) throw new Fault('unauthenticated')
    return user
  }

  function foundOf({ principal }: SignedInCaller, passkeyId: PasskeyId): Passkey {
    const passkey = store.passkeys.get(principal.userId, passkeyId)
    if (!passkey) throw notFound('passkey')
    return passkey
  }

  function note(tx: Tx, caller: Caller, action: 'added' | 'renamed' | 'removed', id: PasskeyId) {
    audit.noteIn(tx, 'system', caller, { action: `passkey.${action}`, objectId: id })
  }

  return {
    /** Whether browsers allow passkeys at the address of the service. */
    state,

    hasAny: (userId: UserId) => store.passkeys.listOfUser(userId, 1).length > 0,

    /** The caller's own, newest first. */
    list({ principal }: SignedInCaller, { limit, after }: PageRequest): PageOf<Passkey> {
      const own = store.passkeys.listOfUser(principal.userId, passkeysPerUserMax).toReversed()
      return pageOf(
        own.filter(({ id }) => after === undefined || id < after),
        limit,
      )
    },

    /**
     * Only a code lets another second factor in: a remembered device and a password are none. Throws
     * conflict where passkeys are not possible, totp_required, invalid_credentials, rate_limited.
     */
    async beginAdding(
      caller: SignedInCaller,
      totp?: string,
    ): Promise<Asked<ReturnType<typeof creationOptions>>> {
      const { userId } = caller.principal
      mustBePossible()
      await store.write((tx) => deps.factors.demand(tx, caller, userId, { totp }))
      const { challenge, flow } = ask('add', userId)
      const { email, name } = userOf(userId)
      const known = store.passkeys.listOfUser(userId, passkeysPerUserMax)
      return { options: creationOptions(site, challenge, { userId, email, name, known }), flow }
    },

    /** Throws link_expired, invalid_credentials, conflict beyond the limit. */
    async add(
      caller: SignedInCaller,
      { name, sealed, created }: NewPasskey & { readonly sealed: string },
    ): Promise<Passkey> {
      const { userId } = caller.principal
      const expected = await answered(sealed, 'add', userId)
      const verified = await verifiedCreation(created, expected)
      if (!verified) throw notVerified()
      return store.write((tx) => {
        const user = userOf(userId)
        const own = store.passkeys.listOfUser(userId, passkeysPerUserMax)
        if (own.length >= passkeysPerUserMax) {
          throw new Fault('conflict', `You have ${passkeysPerUserMax} passkeys: remove one first.`)
        }
        if (store.passkeys.findByCredential(verified.credentialId)) {
          throw new Fault('conflict', 'This passkey is known already.')
        }
        const nowMs = clock.nowMs()
        const { transports = [] } = created.response
        const id = newId('passkey', nowMs)
        const times = { createdAtMs: nowMs, lastUsedAtMs: null }
        const passkey: Passkey = { id, userId, name, transports, ...verified, ...times }
        store.passkeys.put(tx, passkey)
        note(tx, caller, 'added', id)
        const language = languageOf(store, user, caller.language)
        const about = { baseUrl, atMs: nowMs, name, language }
        mailer.enqueue(tx, user.email, passkeyAddedLetter(about))
        return passkey
      })
    },

    /** Throws not_found. */
    rename(caller: SignedInCaller, passkeyId: PasskeyId, name: string): Promise<Passkey> {
      return store.write((tx) => {
        const passkey = { ...foundOf(caller, passkeyId), name }
        store.passkeys.put(tx, passkey)
        note(tx, caller, 'renamed', passkeyId)
        return passkey
      })
    },

    /** It signs nobody in from now on. Throws not_found. */
    async remove(caller: SignedInCaller, passkeyId: PasskeyId): Promise<void> {
      await store.write((tx) => {
        const passkey = foundOf(caller, passkeyId)
        store.passkeys.remove(tx, passkey)
        note(tx, caller, 'removed', passkeyId)
        const user = userOf(passkey.userId)
        const language = languageOf(store, user, caller.language)
        const about = { baseUrl, atMs: clock.nowMs(), name: passkey.name, language }
        mailer.enqueue(tx, user.email, passkeyRemovedLetter(about))
      })
    },

    /** Any passkey of the service will do. Throws conflict where passkeys are not possible. */
    beginSignIn(): Asked<ReturnType<typeof requestOptions>> {
      const { challenge, flow } = ask('sign-in', null)
      return { options: requestOptions(site, challenge), flow }
    },

    /**
     * Signs in, without a code. Throws link_expired for a challenge of another browser, and
     * invalid_credentials in the same words for every other defect.
     */
    async signIn(caller: Caller, sealed: string, used: UsedCredential): Promise<SignedIn> {
      const expected = await answered(sealed, 'sign-in', null)
      return proven(used, expected, (tx, { userId }) => {
        // The browser's answer names the account that it found the passkey for.
        if (used.response.userHandle !== userHandleOf(userId)) throw notVerified()
        return deps.signIns.enter(tx, caller, userId, { method: 'passkey' })
      })
    },

    /** One of the caller's own. Throws conflict where there is none. */
    beginConfirming({ principal }: SignedInCaller): Asked<ReturnType<typeof requestOptions>> {
      const { userId } = principal
      const { challenge, flow } = ask('confirm', userId)
      const own = store.passkeys.listOfUser(userId, passkeysPerUserMax)
      if (own.length === 0) throw new Fault('conflict', 'You have no passkey.')
      return { options: requestOptions(site, challenge, own), flow }
    },

    /** The session gets a new value. Throws link_expired, invalid_credentials. */
    async confirm(
      caller: SignedInCaller,
      sealed: string,
      used: UsedCredential,
    ): Promise<FreshSession & { freshUntilMs: number }> {
      const { userId } = caller.principal
      const expected = await answered(sealed, 'confirm', userId)
      return proven(used, expected, (tx, passkey) => {
        if (passkey.userId !== userId) throw notVerified()
        const fresh = deps.sessions.freshen(tx, caller)
        const objectId = fresh.session.id
        const done = { action: 'session.confirmed', objectId, detail: 'passkey' } as const
        audit.noteIn(tx, 'system', caller, done)
        return { ...fresh, freshUntilMs: fresh.session.authenticatedAtMs + limits.sudoMs }
      })
    },

    /** The operator removes all of a person who lost them; false if there was none. */
    reset(tx: Tx, caller: Caller, userId: UserId): boolean {
      if (store.passkeys.removeOfUser(tx, userId, passkeysPerUserMax) === 0) return false
      audit.noteIn(tx, 'system', caller, { action: 'passkey.reset', objectId: userId })
      const user = store.users.get(userId)
      if (!user) return true
      const language = languageOf(store, user)
      const letter = passkeysResetLetter({ baseUrl, atMs: clock.nowMs(), language })
      mailer.enqueue(tx, user.email, letter)
      return true
    },
  }
}

export type Passkeys = ReturnType<typeof createPasskeys>

interface NewPasskey {
  readonly name: string
  readonly created: CreatedCredential & {
    readonly response: { readonly transports?: readonly string[] | undefined }
  }
}

/** The same words for every defect. */
function notVerified(): Fault {
  const detail = 'This passkey is not known here, or it could not be verified.'
  return new Fault('invalid_credentials', detail)
}
