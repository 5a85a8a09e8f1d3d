// E-mail addresses: verification, and changes of an account's address.
import { Fault, invalidField } from '../../base/fault.ts'
import type { UserId } from '../../base/ids.ts'
import { countedMailbox, normalizedEmail, type User } from '../../domain/people/person.ts'
import type { MailedLink } from '../../domain/sign-in/link.ts'
import {
  addressAlreadyHasAccount,
  addressChangeAsked,
  addressChanged,
  addressToConfirm,
  addressToVerify,
} from '../../mail/letters/address-change.ts'
import type { Tx } from '../../store/engine/write.ts'
import { languageOf } from '../../store/org-state.ts'
import type { Caller, SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Throttles } from '../throttles.ts'
import { expiredLink, type Links } from './links.ts'
import type { Sessions } from './sessions.ts'

/** The answer of the holder of one of the two addresses. */
type ChangeAnswer = 'confirm' | 'refuse'

/** `waiting`: the other address has not answered yet. */
type AddressOutcome = 'waiting' | 'changed' | 'refused'

interface AddressChange {
  readonly from: string
  readonly to: string
  /** The mailbox that the link was sent to. */
  readonly side: Side
}

type Side = 'old' | 'new'

export interface EmailsDeps {
  readonly links: Links
  readonly sessions: Sessions
  readonly throttles: Throttles
}

export type Emails = ReturnType<typeof createEmails>

export function createEmails(core: Core, deps: EmailsDeps) {
  return {
    ...createVerification(core, deps),
    ...createChange(core, deps),
    /** Revokes every link that was sent to an account's address. */
    forgetLinks: (tx: Tx, user: User) => forgetLinksOf(deps.links, tx, user),
  }
}

function createVerification(
  { store, clock, audit, mailer, baseUrl }: Core,
  { links, throttles }: EmailsDeps,
) {
  function queueVerification(tx: Tx, caller: Caller, { id, email }: User): void {
    const purpose = 'email-verify'
    const token = links.make(tx, caller, { purpose, subject: id, userId: id, email })
    const url = `${baseUrl}/api/v1/auth/email/verify?token=${token}`
    mailer.enqueue(tx, email, addressToVerify({ url, language: caller.language }))
  }

  /** The person who still has this address. */
  function holderOf({ userId, email }: MailedLink): User {
    const user = userId === null ? undefined : store.users.get(userId)
    if (user?.email !== email) throw expiredLink()
    return user
  }

  return {
    /** Sends nothing beyond the number per mailbox: then the person must request the letter. */
    queueVerification(tx: Tx, caller: Caller, user: User): void {
      // One mailbox has many addresses, and a stranger may register them.
      const mayMail = throttles.mayTake('askedLetters', `registered ${countedMailbox(user.email)}`)
      if (mayMail) queueVerification(tx, caller, user)
    },
    /** Sends it again. Throws conflict if the address is verified, rate_limited. */
    async resendVerification(caller: SignedInCaller): Promise<void> {
      const { userId } = caller.principal
      const { email } = store.users.get(userId) ?? unauthenticated()
      throttles.take('askedLetters', `verify ${countedMailbox(email)}`)
      await store.write((tx) => {
        const user = store.users.get(userId) ?? unauthenticated()
        if (user.emailVerifiedAtMs !== null) {
          throw new Fault('conflict', 'Your e-mail address is already confirmed.')
        }
        queueVerification(tx, caller, user)
        const asked = { action: 'email.verification_asked', objectId: userId } as const
        audit.noteIn(tx, 'system', caller, asked)
      })
    },
    /** Shows a verification link without using it up. Throws link_expired. */
    lookVerification: (token: string): { readonly email: string } => ({
      email: holderOf(links.look('email-verify', token)).email,
    }),
    /** Throws link_expired also if the account has another address by now. */
    verify: (caller: Caller, token: string) =>
      store.write((tx) => {
        const before = holderOf(links.spend(tx, 'email-verify', token))
        if (before.emailVerifiedAtMs !== null) return before
        const user = changedUser(before, { emailVerifiedAtMs: clock.nowMs() }, clock.nowMs())
        store.users.put(tx, user)
        audit.noteIn(tx, 'system', caller, { action: 'email.verified', objectId: user.id })
        return user
      }),
  }
}

function createChange(core: Core, deps: EmailsDeps) {
  const { store, clock, audit, mailer, baseUrl } = core
  const { links, throttles } = deps
  const answering = createAnswers(core, deps)

  function queueQuestion(tx: Tx, caller: Caller, user: User, side: Side, to: string): void {
    const link = { purpose: 'email-change', userId: user.id, email: to } as const
    const token = links.make(tx, caller, { ...link, subject: subjectOf(user.id, side) })
    const url = `${baseUrl}/api/v1/auth/email/change?token=${token}`
    const move = { from: user.email, to, url }
    const asked = caller.language
    if (side === 'new') mailer.enqueue(tx, to, addressToConfirm({ ...move, language: asked }))
    else {
      const language = languageOf(store, user, asked)
      mailer.enqueue(tx, user.email, addressChangeAsked({ ...move, language }))
    }
  }

  return {
    /**
     * The address changes once it is verified and the old one has agreed. If it belongs to another
     * account, only that address gets a letter. The route requires a recent sign-in. Throws
     * validation_failed for the current address, rate_limited.
     */
    requestChange(tx: Tx, caller: SignedInCaller, userId: UserId, email: string): User {
      const before = store.users.get(userId) ?? unauthenticated()
      const wanted = email.trim()
      if (normalizedEmail(wanted) === normalizedEmail(before.email)) {
        throw invalidField('/email', 'same', 'is already your address')
      }
      throttles.take('askedLetters', `change ${userId}`)
      // Many accounts together must not fill a stranger's mailbox either.
      throttles.take('askedLetters', `change to ${countedMailbox(wanted)}`)
      const nowMs = clock.nowMs()
      const answers = { isNewConfirmed: false, isOldConfirmed: false }
      const wantedEmail = { email: wanted, askedAtMs: nowMs, ...answers }
      const user = changedUser(before, { wantedEmail }, nowMs)
      store.users.put(tx, user)
      if (store.users.isEmailTaken(wanted)) {
        links.revoke(tx, 'email-change', subjectOf(userId, 'new'))
        const move = { from: user.email, to: wanted, language: caller.language }
        mailer.enqueue(tx, wanted, addressAlreadyHasAccount(move))
      } else queueQuestion(tx, caller, user, 'new', wanted)
      queueQuestion(tx, caller, user, 'old', wanted)
      audit.noteIn(tx, 'system', caller, { action: 'email.change_asked', objectId: userId })
      return user
    },
    /** The change of a link, without using it up. Throws link_expired. */
    lookChange(token: string): AddressChange {
      const { user, side, wanted } = answering.read(links.look('email-change', token))
      return { from: user.email, to: wanted.email, side }
    },
    /**
     * A refusal from the old address ends every session, because somebody else used one. Throws
     * link_expired, email_taken.
     */
    answerChange: (caller: Caller, token: string, answer: ChangeAnswer) =>
      store.write((tx) => {
        const spent = links.spend(tx, 'email-change', token)
        return answering[answer](tx, caller, spent)
      }),
  }
}

function createAnswers({ store, clock, audit, mailer }: Core, { links, sessions }: EmailsDeps) {
  /** The change of a link, while it is still wanted. */
  function read(link: MailedLink) {
    const user = link.userId === null ? undefined : store.users.get(link.userId)
    const wanted = user?.wantedEmail
    if (!user || wanted?.email !== link.email) throw expiredLink()
    const side: Side = link.subject === subjectOf(user.id, 'old') ? 'old' : 'new'
    return { user, wanted, side }
  }

  function move(tx: Tx, caller: Caller, before: User, email: string): AddressOutcome {
    if (store.users.isEmailTaken(email)) {
      throw new Fault('email_taken', 'There is already an account with this e-mail address.')
    }
    const nowMs = clock.nowMs()
    const change = { email, emailVerifiedAtMs: nowMs, wantedEmail: null }
    store.users.put(tx, changedUser(before, change, nowMs))
    forgetLinksOf(links, tx, before)
    audit.noteIn(tx, 'system', caller, { action: 'email.changed', objectId: before.id })
    const language = languageOf(store, before, caller.language)
    const moved = { from: before.email, to: email, language }
    mailer.enqueue(tx, before.email, addressChanged(moved))
    return 'changed'
  }

  return {
    read,
    confirm(tx: Tx, caller: Caller, link: MailedLink): AddressOutcome {
      const { user, side, wanted } = read(link)
      const wantedEmail = {
        ...wanted,
        ...(side === 'old' ? { isOldConfirmed: true } : { isNewConfirmed: true }),
      }
      // Decided now, because its owner may have verified the address after the request.
      const isOldAsked = user.emailVerifiedAtMs !== null
      if (wantedEmail.isNewConfirmed && (wantedEmail.isOldConfirmed || !isOldAsked)) {
        return move(tx, caller, user, wanted.email)
      }
      store.users.put(tx, changedUser(user, { wantedEmail }, clock.nowMs()))
      return 'waiting'
    },
    refuse(tx: Tx, caller: Caller, link: MailedLink): AddressOutcome {
      const { user, side } = read(link)
      store.users.put(tx, changedUser(user, { wantedEmail: null }, clock.nowMs()))
      for (const one of ['old', 'new'] as const) {
        links.revoke(tx, 'email-change', subjectOf(user.id, one))
      }
      if (side === 'old') sessions.endAll(tx, user.id)
      audit.noteIn(tx, 'system', caller, {
        action: 'email.change_refused',
        objectId: user.id,
        detail: side,
      })
      return 'refused'
    },
  }
}

const subjectOf = (userId: UserId, side: Side) => `${userId} ${side}`

function changedUser(before: User, change: Partial<User>, nowMs: number): User {
  return { ...before, ...change, updatedAtMs: nowMs, revision: before.revision + 1 }
}

function unauthenticated(): never {
  throw new Fault('unauthenticated')
}

/** Revokes every link that was sent to an account's address. */
function forgetLinksOf(links: Links, tx: Tx, { id, email }: User): void {
  for (const side of ['old', 'new'] as const) links.revoke(tx, 'email-change', subjectOf(id, side))
  links.revoke(tx, 'email-verify', id)
  // Readers of the old mailbox must not sign in with older letters.
  links.revoke(tx, 'sign-in', normalizedEmail(email))
  links.revoke(tx, 'password-reset', normalizedEmail(email))
}
