// What is wrong with the parts of one large request: all of it, each with its place.
import type { Clock } from '../../base/clock.ts'
import { Fault, type FieldProblem } from '../../base/fault.ts'
import { createYielder } from '../../base/yielding.ts'
import { limits } from '../../domain/limits/limits.ts'

/** Gathers what is wrong with the parts, so that a caller learns of all of it at once. */
export function createProblems(clock: Pick<Clock, 'monoMs'>) {
  const found: FieldProblem[] = []
  let first: Fault | undefined

  /** What is made of a part, as a list of one; of none where there is a problem. */
  function made<Made>(pointer: string, make: () => Made): readonly Made[] {
    if (found.length >= limits.fieldProblemsMax) return []
    try {
      return [at(pointer, make)]
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      first ??= error
      found.push(...error.errors)
      return []
    }
  }

  return {
    /** What is made of each part; nothing of one with a problem. */
    ofEach<Part, Made>(
      pointer: string,
      parts: readonly Part[],
      make: (part: Part) => Made,
    ): readonly Made[] {
      return parts.flatMap((part, index) => made(`${pointer}/${index}`, () => make(part)))
    },

    /**
     * The same for very many, between other work. Throws Fault('unavailable') where the signal
     * aborts: nobody waits for it any more.
     */
    async ofMany<Part, Made>(
      pointer: string,
      parts: readonly Part[],
      make: (part: Part) => Made,
      signal?: AbortSignal,
    ): Promise<readonly Made[]> {
      const yielder = createYielder(clock, limits.turnMs)
      const all: Made[] = []
      for (const [index, part] of parts.entries()) {
        all.push(...made(`${pointer}/${index}`, () => make(part)))
        if (yielder.isDue()) await yielder.pause()
        if (signal?.aborted)
          throw new Fault('unavailable', 'The request took too long; nothing was changed.')
      }
      return all
    },

    /** Throws one Fault with all that was found, at most limits.fieldProblemsMax. */
    throwAny(): void {
      if (!first) return
      const errors = found.slice(0, limits.fieldProblemsMax)
      throw new Fault(first.code, first.message, { errors })
    },
  }
}

/** Does it; a Fault that it throws points below `pointer`, to `field` where it named none. */
export function at<T>(pointer: string, work: () => T, field = ''): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message } = error
    const errors = error.errors.map((one) => ({ ...one, pointer: pointer + one.pointer }))
    const [first] = errors
    if (first) {
      const name = first.pointer.slice(1).replaceAll('/', '.')
      throw new Fault(code, `${name} ${first.message}`, { errors })
    }
    const here = { pointer: pointer + field, keyword: code, message }
    throw new Fault(code, message, { errors: [here] })
  }
}
