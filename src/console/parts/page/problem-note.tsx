// What went wrong, in words, with a way to try again.
import type { ApiProblem } from '../../api/problem.ts'
import { punctuation, words } from '../../words/words.ts'

export function problemText(problem: ApiProblem): string {
  const { problems } = words.value.common
  if (problem.status === 0) return problems.unreachable
  if (problem.status === 429)
    return problems.rateLimited({ seconds: problem.retryAfterSeconds ?? 60 })
  if (problem.status === 412) return problems.changedElsewhere
  // Other refusals have a reason of their own, such as an organization that was switched off.
  if (problem.code === 'forbidden' && /^This requires|requires the role/.test(problem.message))
    return problems.forbidden
  if (problem.status === 404) return problems.notFound
  return words.value.said(problem.message) ?? fieldText(problem) ?? problem.message
}

/** What is wrong with the first field; undefined where the console has no words for it. */
function fieldText({ fields: [first] }: ApiProblem): string | undefined {
  if (!first || first.lang) return undefined
  const name = first.pointer.slice(1).replaceAll('/', '.')
  return name === '' ? first.message : name + punctuation.value.colon + first.message
}

/** The language of that text; undefined where it is the console's own. */
export function problemLang(problem: ApiProblem): 'en' | undefined {
  return problemText(problem) === problem.message ? problem.lang : undefined
}

export interface ProblemNoteProps {
  readonly problem: ApiProblem
  readonly onRetry?: () => void
  /** It is about something that somebody typed. */
  readonly isOfForm?: boolean
}

export function ProblemNote({ problem, onRetry, isOfForm = false }: ProblemNoteProps) {
  const { common } = words.value
  return (
    <div class="note is-problem" role="alert">
      <p>
        <span lang={problemLang(problem)}>{problemText(problem)}</span>
        {punctuation.value.gap}
        {isOfForm && problem.status === 0 && common.problems.kept}
      </p>
      {problem.requestId && (
        <p class="faint">{common.problems.requestId({ id: problem.requestId })}</p>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {common.actions.retry}
        </button>
      )}
    </div>
  )
}
