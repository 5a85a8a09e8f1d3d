// Collects the problems of the parts of a large request, each with its pointer.
import type { Clock } from '../../base/clock.ts'
import { Fault, type FieldProblem, refuseInvalid } from '../../base/fault.ts'
import { createYielder } from '../../base/yielding.ts'
import { limits } from '../../domain/limits/limits.ts'

/** `known`: problems that were found before. At most `most` are thrown; after so many, no part is looked at. */
export function createProblems(
  clock: Pick<Clock, 'monoMs'>,
  known: readonly FieldProblem[] = [],
  most: number = limits.fieldProblemsMax,
) {
  const found: FieldProblem[] = [...known]
  let first: Fault | undefined

  /** The result of a part as a list with one item; empty if there is a problem. */
  function of<Made>(make: () => Made): readonly Made[] {
    if (found.length >= most) return []
    try {
      return [make()]
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      first ??= error
      found.push(...error.errors)
      return []
    }
  }

  return {
    of,

    /** The results of all parts that have no problem; yields. Throws unavailable if the signal aborts. */
    async ofMany<Part, Made>(
      pointer: string,
      parts: readonly Part[],
      make: (part: Part) => Made,
      signal?: AbortSignal,
    ): Promise<readonly Made[]> {
      const yielder = createYielder(clock, limits.turnMs)
      const all: Made[] = []
      for (const [index, part] of parts.entries()) {
        all.push(...of(() => at(`${pointer}/${index}`, () => make(part))))
        if (yielder.isDue()) await yielder.pause()
        if (signal?.aborted)
          throw new Fault('unavailable', 'The request took too long; nothing was changed.')
      }
      return all
    },

    areNone: () => found.length === 0,

    /** Throws one Fault with all problems, at most `most`. */
    throwAny(): void {
      const errors = found.slice(0, most)
      if (known.length > 0) refuseInvalid(errors)
      if (!first) return
      throw new Fault(first.code, first.message, { errors, headers: first.headers })
    },
  }
}

/** Runs the work; a Fault from it gets pointers below `pointer`, or to `field` if it had none. */
export function at<T>(pointer: string, work: () => T, field = ''): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message, headers } = error
    const errors = error.errors.map((one) => ({ ...one, pointer: pointer + one.pointer }))
    const [first] = errors
    if (first) {
      const name = first.pointer.slice(1).replaceAll('/', '.')
      throw new Fault(code, `${name} ${first.message}`, { errors, headers })
    }
    const here = { pointer: pointer + field, keyword: code, message }
    throw new Fault(code, message, { errors: [here], headers })
  }
}
