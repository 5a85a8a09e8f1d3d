// Pages that explain problems: the address in the `type` of a problem document, and all on one page.
import { type Html, html } from '../html.ts'
import { inline } from './prose.ts'
import { type ReferencePaths, referenceFrame } from './reference-frame.ts'

export interface ExplainedProblem {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly meaning: string
  readonly remedy: string
  /** A problem document. */
  readonly example: object
}

/** Every problem on one page, by status. */
export function problemsPage(problems: readonly ExplainedProblem[], paths: ReferencePaths): Html {
  const body = html`<main class="reference">
<h1>Problems</h1>
<p>A refused request is answered with a problem document (RFC 9457): \
<code>application/problem+json</code> with the <code>status</code>, a <code>code</code> that never \
changes its meaning, a <code>detail</code> for people, and the <code>requestId</code> under which \
the log has it.</p>
<ul class="problems">${problems.map(
    ({ code, status, title, meaning }) => html`<li><h2 id="${code}">\
<a href="${`/problems/${code}`}">${title}</a></h2>
<p class="facts">${status} <code>${code}</code></p>
<p>${inline(meaning)}</p></li>\n`,
  )}</ul></main>`
  return referenceFrame('Problems · stillup API', body, paths)
}

/** The page of one problem. */
export function problemPage(problem: ExplainedProblem, paths: ReferencePaths): Html {
  const { code, status, title, meaning, remedy, example } = problem
  const body = html`<main class="reference">
<p class="facts"><a href="/problems">Problems</a> / ${code}</p>
<h1>${title}</h1>
<p class="facts">${status} <code>${code}</code></p>
<h2>What it means</h2>
<p>${inline(meaning)}</p>
<h2>What to do</h2>
<p>${inline(remedy)}</p>
<h2>Example</h2>
<pre>${JSON.stringify(example, null, 2)}</pre></main>`
  return referenceFrame(`${title} · stillup API`, body, paths)
}
