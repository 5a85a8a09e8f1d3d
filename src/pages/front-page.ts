// The front page, /: what this is and the ways in; for a signed-in person, the state of everything.
import type { Role } from '../domain/access.ts'
import type { Language } from '../texts/languages.ts'
import { saidIn, textsOf } from '../texts/texts.ts'
import { formOf, linksOf, type PageLink, warningOf } from './action-page.ts'
import type { EntranceTexts } from './entrance-fields.ts'
import { frame } from './frame.ts'
import { frontPicture } from './front-picture.ts'
import { type Html, html } from './html.ts'
import { brandBar } from './mark.ts'
import { type PageFormats, pageFormats } from './page-formats.ts'
import type { PublicState } from './view/public-page.ts'

interface NamedPage {
  readonly title: string
  /** A path of this service. */
  readonly path: string
}

export interface Visit {
  readonly language: Language
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
  readonly role: Role
  /** How many monitors are in each state; null if the operator switched the organization off. */
  readonly states: Readonly<Record<ProjectedState, number>> | null
  /** Some of them, the worst first. */
  readonly monitors: readonly FrontMonitor[]
  readonly pages: readonly NamedPage[]
}

export interface OwnFront {
  readonly language: Language
  readonly email: string
  readonly isEmailVerified: boolean
  /** False: letters are files that only the operator can read. */
  readonly hasMailServer: boolean
  readonly orgs: readonly FrontOrg[]
}

/** How the page of a signed-in person is written. */
interface FrontWriting {
  readonly language: Language
  readonly words: EntranceTexts
  readonly formats: PageFormats
}

const docsLinks = ({ links }: EntranceTexts): readonly PageLink[] => [
  { label: links.guide, href: '/guide' },
  { label: links.api, href: '/docs' },
]

/** The front page of a visitor who is not signed in. */
export function frontPage({ language, isNew, registerPath, listedPages }: Visit): Html {
  const words = textsOf('entrance', language)
  const { front, links } = words
  return frame({
    title: `stillup: ${words.service}`,
    language,
    description: front.description,
    isIndexed: false,
    body: html`${brandBar(isNew ? undefined : html`<a class="plain" href="/sign-in">${links.signIn}</a>`)}
<main class="front">
<div class="hero"><div>
<h1>${front.heading}</h1>
<p class="about">${front.about}</p>
${isNew ? firstAccount(words) : waysIn(words, registerPath)}</div>
${frontPicture(language)}</div>
${listedPages.length > 0 && pageList(words, listedPages)}</main>`,
  })
}

function firstAccount(words: EntranceTexts): Html {
  const { front } = words
  return html`<section aria-labelledby="first"><h2 id="first">${front.firstTitle}</h2>
<p>${front.firstAbout}</p>
<nav class="ways" aria-label="${front.ways}"><a class="onward" href="/app/setup">${front.setUp}</a>\
${linksOf([{ label: front.withoutScript, href: '/register' }, ...docsLinks(words)])}</nav></section>`
}

function waysIn(words: EntranceTexts, registerPath: string | null): Html {
  const { front, links } = words
  const register = registerPath === null ? [] : [{ label: front.register, href: registerPath }]
  return html`<nav class="ways" aria-label="${front.ways}"><a class="onward" href="/sign-in">${links.signIn}</a>\
${linksOf([...register, ...docsLinks(words)])}</nav>`
}

function pageList({ front }: EntranceTexts, pages: readonly NamedPage[]): Html {
  return html`<section aria-labelledby="pages"><h2 id="pages">${front.pages}</h2>
<ul class="card named">${pages.map(
    ({ title, path }) => html`<li><a href="${path}" dir="auto">${title}</a></li>\n`,
  )}</ul></section>`
}

/** The front page of a signed-in person. */
export function ownFrontPage(about: OwnFront): Html {
  const { language, email, isEmailVerified, hasMailServer, orgs } = about
  const words = textsOf('entrance', language)
  const { own } = words
  const writing = { language, words, formats: pageFormats(language, 'UTC') }
  return frame({
    title: `${own.title} – stillup`,
    language,
    isIndexed: false,
    body: html`${brandBar()}<header class="bar"><h1>${own.title}</h1>
<div class="who"><a class="onward" href="/app">${own.console}</a><span>${email}</span>
${formOf({ action: '/api/v1/auth/logout', hidden: {}, button: own.signOut })}</div></header>
<main>
${!isEmailVerified && confirmation(writing, email, hasMailServer)}${
  orgs.length === 0
    ? html`<p class="card quiet">${own.none}</p>`
    : html`<div class="card wide"><table class="states">
<caption class="unseen">${own.caption}</caption>
<thead><tr><th scope="col">${own.monitor}</th><th scope="col">${own.state}</th><th scope="col">${own.since}</th></tr></thead>
${orgs.map((org) => orgRows(writing, org))}</table></div>`
}
<nav aria-label="${own.more}">${linksOf(docsLinks(words))}</nav>
</main>
<footer class="foot"><p>${own.utc}</p></footer>`,
  })
}

function confirmation(
  { words: { own, lettersAreFiles }, formats: { marks } }: FrontWriting,
  email: string,
  hasMailServer: boolean,
): Html {
  const warning = own.confirm({ email })
  return html`<section class="card confirm" aria-label="${own.confirmLabel}">
${warningOf(hasMailServer ? warning : warning + marks.gap + lettersAreFiles)}
${formOf({ action: '/api/v1/auth/email/verify/resend', hidden: {}, button: own.resend })}</section>
`
}

function orgRows(writing: FrontWriting, org: FrontOrg): Html {
  const { own, front } = writing.words
  const { id, name, role, states, monitors, pages } = org
  const total = states === null ? 0 : Object.values(states).reduce((sum, count) => sum + count, 0)
  const said = states === null ? own.switchedOff : countsText(writing, states)
  return html`<tbody><tr class="org"><th colspan="3" scope="rowgroup"><span dir="auto">${name}</span>
<small>${said} · ${own.role[role]} · <code>${id}</code></small>
${states !== null && total === 0 && html`<small><a href="/app/monitors/new">${own.addMonitor}</a></small>`}\
${pages.length > 0 && html`<small>${front.pages}${writing.formats.marks.colon}${pages.map(pageLink)}</small>`}</th></tr>
${monitors.map((monitor) => monitorRow(writing, monitor))}\
${total > monitors.length && restRow(writing, total - monitors.length)}</tbody>
`
}

const pageLink = ({ title, path }: NamedPage): Html =>
  html`<a href="${path}" dir="auto">${title}</a> `

const restRow = ({ words: { own }, formats: { marks } }: FrontWriting, count: number): Html =>
  html`<tr><td colspan="3">${own.andMore({ count })}${marks.colon}<a href="/app">${own.consoleShowsAll}</a></td></tr>\n`

function monitorRow({ language, words, formats }: FrontWriting, monitor: FrontMonitor): Html {
  const { own } = words
  const { name, state, sinceMs, error } = monitor
  return html`<tr class="is-${state}"><th scope="row"><span dir="auto">${name}</span>${
    error !== null && html`<small dir="auto">${saidIn(language, error)}</small>`
  }</th><td><span class="state">${own.states[state]}</span></td><td data-label="${own.since}">${formats.timeTag(sinceMs)}</td></tr>
`
}

function countsText(
  { words: { own }, formats }: FrontWriting,
  states: Readonly<Record<ProjectedState, number>>,
): string {
  const bad: readonly ProjectedState[] = ['down', 'degraded', 'unknown']
  const order: readonly ProjectedState[] = [...bad, 'maintenance', 'pending', 'up', 'paused']
  const parts = order.flatMap((state) =>
    states[state] > 0 ? [own.counts[state]({ count: states[state] })] : [],
  )
  return parts.length > 0 ? formats.list(parts) : own.noMonitors
}
