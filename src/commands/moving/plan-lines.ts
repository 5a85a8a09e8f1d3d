// The plan of an import for a terminal: a line for each item, by list and by what is done with it.
import { exportedNames, nounOfList, nouns } from '../../base/nouns.ts'
import { type PlanLine, planActions } from '../../domain/imports/import-record.ts'
import { shown } from '../people/columns.ts'

/** The items of a list with which the same is done: so many are named, the others counted. */
const namedMax = 20

const words = {
  create: 'created',
  change: 'changed',
  keep: 'left as before',
  deletedHere: 'deleted here, so left out; --remake makes them again',
  goneThere: 'no longer in the document, and kept',
  leftOut: 'left out',
} as const

const createdLess = 'created with something left out'

const reasonFirst = (a: PlanLine, b: PlanLine) =>
  Number(a.reason === undefined) - Number(b.reason === undefined)

/** `isTrial`: also names what is created as it came, which otherwise is only counted, elsewhere. */
export function planLines(plan: readonly PlanLine[], isTrial: boolean): string[] {
  return exportedNames.flatMap((list) =>
    planActions.flatMap((action) => {
      const isTold = ({ reason }: PlanLine) =>
        isTrial || action !== 'create' || reason !== undefined
      const some = plan.filter(
        (line) => line.list === list && line.action === action && isTold(line),
      )
      if (some.length === 0) return []
      const { one, title } = nouns[nounOfList(list)]
      const head = `${some.length} ${some.length === 1 ? one : title} ${isTrial || action !== 'create' ? words[action] : createdLess}`
      if (action === 'keep') return [head]
      // What comes with less is not among those that are only counted.
      const named = some.toSorted(reasonFirst).slice(0, namedMax).map(lineOf)
      const more = some.length - named.length
      return [`${head}:`, ...named, ...(more > 0 ? [`  … and ${more} more`] : [])]
    }),
  )
}

function lineOf({ name, origin, fields, reason }: PlanLine): string {
  const whence = origin === null ? '' : ` (${shown(origin)})`
  const said = reason === undefined ? fields : [...fields, reason]
  const what = said.length === 0 ? '' : `: ${said.map(shown).join(', ')}`
  return `  ${shown(name)}${whence}${what}`
}
