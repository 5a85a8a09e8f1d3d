// The front page, /: what this is and the ways in; for a signed-in person, the state of everything.

import { formOf, lettersAreFiles, linksOf, warningOf } from './action-page.ts'
import { frame } from './frame.ts'
import { frontPicture } from './front-picture.ts'
import { type Html, html } from './html.ts'
import { brandBar } from './mark.ts'
import type { PublicState } from './view/public-page.ts'
import { timeTag } from './wording.ts'

interface NamedPage {
  readonly title: string
  /** A path of this service. */
  readonly path: string
}

export interface Visit {
  /** No account exists yet. */
  readonly isNew: boolean
  /** The path for registration; null if new accounts need an invitation. */
  readonly registerPath: string | null
  /** The status pages whose owners list them. */
  readonly listedPages: readonly NamedPage[]
}

type ProjectedState = Exclude<PublicState, 'waiting'>

interface FrontMonitor {
  readonly name: string
  readonly state: ProjectedState
  readonly sinceMs: number
  readonly error: string | null
}

interface FrontOrg {
  readonly id: string
  readonly name: string
  readonly role: string
  /** How many monitors are in each state; null if the operator switched the organization off. */
  readonly states: Readonly<Record<ProjectedState, number>> | null
  /** Some of them, the worst first. */
  readonly monitors: readonly FrontMonitor[]
  readonly pages: readonly NamedPage[]
}

export interface OwnFront {
  readonly email: string
  readonly isEmailVerified: boolean
  /** False: letters are files that only the operator can read. */
  readonly hasMailServer: boolean
  readonly orgs: readonly FrontOrg[]
}

const docsLinks = [
  { label: 'Guide', href: '/guide' },
  { label: 'API reference', href: '/docs' },
]

/** The front page of a visitor who is not signed in. */
export function frontPage({ isNew, registerPath, listedPages }: Visit): Html {
  return frame({
    title: 'stillup: uptime monitoring',
    description: 'Checks services on time, alerts when they fail, and shows it on status pages.',
    isIndexed: false,
    body: html`${brandBar(isNew ? undefined : html`<a class="plain" href="/sign-in">Sign in</a>`)}
<main class="front">
<div class="hero"><div>
<h1>Know that it is still up</h1>
<p class="about">This service checks websites, servers and jobs on time. It confirms an outage with \
repeated checks, alerts the people in charge, and shows incidents on status pages.</p>
${isNew ? firstAccount : waysIn(registerPath)}</div>
${frontPicture}</div>
${listedPages.length > 0 && pageList(listedPages)}</main>`,
  })
}

const firstAccount = html`<section aria-labelledby="first"><h2 id="first">No account exists yet</h2>
<p>The first account owns an organization and administers this service. It needs the setup token, \
which the daemon prints when it starts.</p>
<nav class="ways" aria-label="Start"><a class="onward" href="/app/setup">Set it up</a>\
${linksOf([{ label: 'Without JavaScript', href: '/register' }, ...docsLinks])}</nav></section>`

function waysIn(registerPath: string | null): Html {
  const register = registerPath === null ? [] : [{ label: 'Register', href: registerPath }]
  return html`<nav class="ways" aria-label="Start"><a class="onward" href="/sign-in">Sign in</a>\
${linksOf([...register, ...docsLinks])}</nav>`
}

function pageList(pages: readonly NamedPage[]): Html {
  return html`<section aria-labelledby="pages"><h2 id="pages">Status pages</h2>
<ul class="card named">${pages.map(
    ({ title, path }) => html`<li><a href="${path}" dir="auto">${title}</a></li>\n`,
  )}</ul></section>`
}

/** The front page of a signed-in person. */
export function ownFrontPage({ email, isEmailVerified, hasMailServer, orgs }: OwnFront): Html {
  return frame({
    title: 'Your organizations – stillup',
    isIndexed: false,
    body: html`${brandBar()}<header class="bar"><h1>Your organizations</h1>
<div class="who"><a class="onward" href="/app">Open the console</a><span>${email}</span>
${formOf({ action: '/api/v1/auth/logout', hidden: {}, button: 'Sign out' })}</div></header>
<main>
${!isEmailVerified && confirmation(email, hasMailServer)}${
  orgs.length === 0
    ? html`<p class="card quiet">You are in no organization.</p>`
    : html`<div class="card wide"><table class="states">
<caption class="unseen">The monitors of each organization, the worst first</caption>
<thead><tr><th scope="col">Monitor</th><th scope="col">State</th><th scope="col">Since</th></tr></thead>
${orgs.map(orgRows)}</table></div>`
}
<nav aria-label="More">${linksOf(docsLinks)}</nav>
</main>
<footer class="foot"><p>All times are in UTC.</p></footer>`,
  })
}

function confirmation(email: string, hasMailServer: boolean): Html {
  const resend = '/api/v1/auth/email/verify/resend'
  const warning = `Your address ${email} is not confirmed yet: open the link in the letter.`
  return html`<section class="card confirm" aria-label="Your address">
${warningOf(hasMailServer ? warning : `${warning} ${lettersAreFiles}`)}
${formOf({ action: resend, hidden: {}, button: 'Send the letter again' })}</section>
`
}

function orgRows({ id, name, role, states, monitors, pages }: FrontOrg): Html {
  const total = states === null ? 0 : Object.values(states).reduce((sum, count) => sum + count, 0)
  return html`<tbody><tr class="org"><th colspan="3" scope="rowgroup"><span dir="auto">${name}</span>
<small>${states === null ? 'switched off by the operator' : countsText(states)} · your role: ${role} · \
<code>${id}</code></small>
${states !== null && total === 0 && html`<small><a href="/app/monitors/new">Add a monitor</a></small>`}\
${pages.length > 0 && html`<small>Status pages: ${pages.map(pageLink)}</small>`}</th></tr>
${monitors.map(monitorRow)}${total > monitors.length && restRow(total - monitors.length)}</tbody>
`
}

const pageLink = ({ title, path }: NamedPage): Html =>
  html`<a href="${path}" dir="auto">${title}</a> `

const restRow = (count: number): Html =>
  html`<tr><td colspan="3">and ${count} more: <a href="/app">the console shows all</a></td></tr>\n`

function monitorRow({ name, state, sinceMs, error }: FrontMonitor): Html {
  return html`<tr class="is-${state}"><th scope="row"><span dir="auto">${name}</span>${
    error !== null && html`<small dir="auto">${error}</small>`
  }</th><td><span class="state">${stateLabels[state]}</span></td><td>${timeTag(sinceMs)}</td></tr>
`
}

const stateLabels: Readonly<Record<ProjectedState, string>> = {
  down: 'Down',
  degraded: 'Degraded',
  unknown: 'Unknown',
  pending: 'No result yet',
  up: 'Up',
  paused: 'Paused',
  maintenance: 'Under maintenance',
}

function countedAs(state: ProjectedState): string {
  return state === 'pending' ? 'without a result yet' : stateLabels[state].toLowerCase()
}

function countsText(states: Readonly<Record<ProjectedState, number>>): string {
  const bad: readonly ProjectedState[] = ['down', 'degraded', 'unknown']
  const order: readonly ProjectedState[] = [...bad, 'maintenance', 'pending', 'up', 'paused']
  const parts = order.flatMap((state) =>
    states[state] > 0 ? [`${states[state]} ${countedAs(state)}`] : [],
  )
  return parts.length > 0 ? parts.join(', ') : 'no monitors yet'
}
