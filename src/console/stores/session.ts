// Who is signed in, and which organization the console shows.
import { computed, signal } from '@preact/signals'
import { type Data, fetchData } from '../api/client.ts'
import { followOrganization } from '../api/live.ts'
import { ApiProblem } from '../api/problem.ts'
import { outward } from '../base/base-path.ts'
import { draftKey, dropDraftsOfOthers } from '../base/drafts.ts'

export type Session = Data<'auth.session'>
export type Organization = Session['organizations'][number]
export type Role = Organization['role']

/** undefined: not known yet; null: nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined)

// Each tab stays with its organization. A new one begins with that of its address, or with the one that
// was looked at last in this browser.
const orgKey = 'stillup.organization'
const wantedOrgIds = signal([
  new URLSearchParams(location.search).get('org'),
  sessionStorage.getItem(orgKey),
  localStorage.getItem(orgKey),
])

/** The organization that is shown; undefined for somebody who is in none. */
export const organization = computed<Organization | undefined>(() => {
  const organizations = session.value?.organizations ?? []
  const wanted = wantedOrgIds.value.flatMap(
    (id) => organizations.find((one) => one.id === id) ?? [],
  )
  return wanted[0] ?? organizations[0]
})

/** The tab stays with what it shows; new tabs begin with what a visible tab shows. */
function keepOrganization(): void {
  const id = organization.peek()?.id
  if (id === undefined) return
  wantedOrgIds.value = [id]
  sessionStorage.setItem(orgKey, id)
  if (document.visibilityState === 'visible') localStorage.setItem(orgKey, id)
}

document.addEventListener('visibilitychange', keepOrganization)
addEventListener('focus', keepOrganization)

/**
 * The address with the organization for people who are in several, so that a link shows the same. What an
 * id names is in one organization only, which the address need not name.
 */
export function inOrganization(href: string, id = organization.value?.id): string {
  const organizations = session.value?.organizations ?? []
  if (id === undefined || organizations.length < 2) return href
  const { pathname, searchParams } = new URL(href, location.origin)
  if (/_[0-9a-z]{26}\b/.test(pathname) && !searchParams.has('org')) return href
  searchParams.set('org', id)
  return `${pathname}?${searchParams}`
}

const ranks: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

/** Whether the person may do what needs the role, in the organization that is shown. */
export function mayAs(role: Role): boolean {
  const own = organization.value?.role
  return own !== undefined && ranks.indexOf(own) >= ranks.indexOf(role)
}

export const isOperator = computed(() => session.value?.user.isSystemAdmin === true)

/** The id of the organization for calls. Pages that need one are shown only where there is one. */
export function orgId(): string {
  return organization.value?.id ?? ''
}

/** The key of a draft: nobody sees the drafts of another person or organization. */
export function ownDraftKey(name: string): string {
  return draftKey(session.peek()?.user.id ?? '', organization.peek()?.id ?? '', name)
}

/** Other tabs of the browser have the same session. */
const tabs = new BroadcastChannel('stillup.session')

/** Calls it with who is signed in now, when another tab learnt it; null for nobody. */
export function onSessionElsewhere(listener: (userId: string | null) => void): void {
  tabs.onmessage = ({ data }: MessageEvent<string | null>) => listener(data)
}

async function askForSession(): Promise<Session | null> {
  try {
    return await fetchData('auth.session', {})
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null
    throw error
  }
}

/**
 * Asks who is signed in. Another person than before gets nothing of what the page holds: it is loaded
 * anew. Throws ApiProblem if the service does not answer.
 */
export async function loadSession(): Promise<'nobody' | 'known' | 'another'> {
  const before = session.peek()?.user.id
  const found = await askForSession()
  if (found !== null && before !== undefined && found.user.id !== before) {
    forget()
    sessionStorage.setItem(greetingKey, found.user.email)
    leaveFor('/app')
    return 'another'
  }
  session.value = found
  // Another person may have used this browser and left without signing out.
  if (found) dropDraftsOfOthers(sessionStorage, found.user.id)
  keepOrganization()
  followOrganization(organization.value?.id)
  tabs.postMessage(found?.user.id ?? null)
  return found === null ? 'nobody' : 'known'
}

const greetingKey = 'stillup.greeting'

/** The address of the person whom the page was loaded for anew, once. */
export function takeGreeting(): string | null {
  const email = sessionStorage.getItem(greetingKey)
  sessionStorage.removeItem(greetingKey)
  return email
}

/** Whether the session that the page shows is still there; the page stays as it is if it is not. */
export async function isSessionThere(): Promise<boolean> {
  const found = await askForSession()
  if (found === null) return false
  if (found.user.id !== session.peek()?.user.id) await loadSession()
  return true
}

export function chooseOrganization(id: string): void {
  wantedOrgIds.value = [id]
  keepOrganization()
  followOrganization(organization.value?.id)
}

let leaving = false

/** Whether the page is left on purpose, so that unsaved changes do not hold it. */
export const isLeaving = () => leaving

/** Loads another page in place of this one. */
function leaveFor(path: string): void {
  leaving = true
  location.replace(outward(path))
}

/** Forgets what was kept in the tab for the person. */
function forget(): void {
  sessionStorage.clear()
  session.value = null
  followOrganization(undefined)
}

const lastSends = new Set<() => Promise<unknown>>()

/** Calls it before the person signs out: what waits to be sent could not be sent afterwards. */
export function beforeSignOut(send: () => Promise<unknown>): void {
  lastSends.add(send)
}

/** Ends the session in this browser, and forgets what was kept for it. */
export async function signOut(): Promise<void> {
  await Promise.all([...lastSends].map((send) => send()))
  await fetchData('auth.logout', {})
  tabs.postMessage(null)
  leaveSignedOut()
}

/** Nobody is signed in any more. */
export function leaveSignedOut(): void {
  leaving = true
  forget()
  location.assign(outward('/'))
}
