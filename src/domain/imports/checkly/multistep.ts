// Multistep checks of Checkly: the requests of their scripts as steps.
import { type Method, methods } from '../../checks/check-type.ts'
import { stepsMax } from '../../steps/step.ts'
import { type ForeignFields, type Note, textOf } from '../foreign.ts'

/** More of a script is not looked at. */
const scriptCharsMax = 64 * 1024
const requestForm =
  /\brequest\.(get|head|post|put|patch|delete)\(\s{0,20}(["'`])(https?:\/\/[^"'`\s${}]{1,1000})\2/g

/** Undefined, with a note, if no request has its address as a text. */
export function multistepOf(item: ForeignFields, note: Note): ForeignFields | undefined {
  const script = typeof item.script === 'string' ? item.script.slice(0, scriptCharsMax) : ''
  const found = [...script.matchAll(requestForm)].flatMap(([, verb = '', , url = '']) => {
    const method: Method | undefined = methods.find((one) => one === verb.toUpperCase())
    return method === undefined || !URL.canParse(url) ? [] : { method, url }
  })
  const [first] = found
  if (first === undefined) {
    note('its script makes no request whose address is a text: the monitor was left out')
    return undefined
  }
  const all = script.match(/\brequest\.\w{3,6}\(/g)?.length ?? 0
  const kept = found.slice(0, stepsMax)
  note(
    `its script: ${kept.length} of its ${all} requests, by method and address; add their headers and bodies, and what it expects, then resume the monitor`,
  )
  return {
    ...{ checkType: 'steps', url: new URL(first.url).origin, isActive: false },
    steps: kept.map(({ method, url }) => ({
      name: `${method} ${textOf(URL.parse(url)?.pathname)}`.slice(0, 80),
      ...{ method, url, acceptedStatuses: ['200-399'] },
    })),
  }
}
