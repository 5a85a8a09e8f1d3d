// Problems: everything that keeps a call from succeeding, as RFC 9457 describes them.

let translate: (text: string) => string | undefined = () => undefined

/** Says what the service says in English in the person's language, from now on. */
export function sayProblemsWith(translation: (text: string) => string | undefined): void {
  translate = translation
}

/** One field that the API refused. */
export interface FieldProblem {
  /** A JSON pointer (RFC 6901) into the body, such as /config/url. */
  readonly pointer: string
  /** The broken rule, as the API names it; undefined if the console found it. */
  readonly keyword?: string | undefined
  /** In the language of the console where it has words for it. */
  readonly message: string
  /** The language of the message where it is not the console's: the API writes English. */
  readonly lang?: 'en' | undefined
}

export class ApiProblem extends Error {
  /** 0: no answer came. */
  readonly status: number
  /** A stable word, such as `rate_limited`. */
  readonly code: string
  readonly fields: readonly FieldProblem[]
  /** As that of a field; `problemText` translates it. */
  readonly lang: 'en' | undefined
  readonly requestId: string | undefined
  /** How long to wait before the next attempt, if the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, more: Partial<ApiProblem> & { cause?: unknown }) {
    super(message, { cause: more.cause })
    this.name = 'ApiProblem'
    this.status = more.status ?? 0
    this.code = more.code ?? 'unreachable'
    this.fields = more.fields ?? []
    this.lang = more.lang
    this.requestId = more.requestId
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

interface ProblemDocument {
  readonly title?: string
  readonly detail?: string
  readonly message?: string
  readonly code?: string
  readonly requestId?: string
  readonly errors?: readonly Partial<FieldProblem>[]
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  const { status } = response
  const document: ProblemDocument = await response.json().catch(() => ({}))
  const { title, detail, message, code, requestId, errors = [] } = document
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiProblem(detail ?? message ?? title ?? `HTTP ${status}`, {
    status,
    lang: 'en',
    code: code ?? `http_${status}`,
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    fields: errors.map(({ message = '', pointer = '', keyword }) => {
      const said = translate(message)
      return {
        pointer,
        keyword,
        message: said ?? message,
        lang: said === undefined ? 'en' : undefined,
      }
    }),
  })
}

/** No answer came: the network, or the service, is down. */
export function unreachable(cause: unknown): ApiProblem {
  return new ApiProblem('', { status: 0, code: 'unreachable', cause })
}

/** The same problem, told at a field. */
export function atField(problem: ApiProblem, field: FieldProblem): ApiProblem {
  return new ApiProblem(problem.message, { ...problem, fields: [field] })
}
