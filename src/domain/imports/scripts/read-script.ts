// Scripts of other products that open pages in a browser, as actions of ours.
import { type ConvertedScript, convertScript } from '../../browser/convert/convert-script.ts'
import { type ForeignFields, ForeignFileRefused, type Note } from '../foreign.ts'

interface ReadScript {
  readonly url: string
  readonly actions: ConvertedScript['actions']
  readonly variables: ConvertedScript['variables']
}

/**
 * The actions of ours that do what it does; of one that is not understood, the page that it opens first. Undefined: it
 * opens none. The monitor waits for a browser.
 */
export function readScript(script: string, note: Note): ReadScript | undefined {
  const read = actionsOf(script, note)
  note(
    read === undefined
      ? 'its script opens no page by its address: the monitor was left out'
      : 'its browser: list one with checks.browsers, then resume the monitor',
  )
  return read
}

/** The same as fields of a monitor. */
export function browserOf(script: string, note: Note): ForeignFields | undefined {
  const read = readScript(script, note)
  if (read === undefined) return undefined
  const { url, actions, variables } = read
  return {
    ...{ checkType: 'browser', url, isActive: false },
    ...(actions.length > 0 ? { actions } : {}),
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
  }
}

function actionsOf(script: string, note: Note): ReadScript | undefined {
  try {
    const { url, actions, variables, notes } = convertScript(script)
    for (const one of notes) note(`its script: ${one}`)
    if (url !== '') return { url, actions, variables }
  } catch (error) {
    if (!(error instanceof ForeignFileRefused)) throw error
    note(`its script ${error.message}`)
  }
  const start = script.slice(0, scriptCharsMax)
  const [, url] = /\.goto\(\s{0,20}["'`](https?:\/\/[^"'`\s${}]{1,1000})["'`]/.exec(start) ?? []
  if (url !== undefined) note('its script: only its first page is opened; add the actions')
  return url === undefined ? undefined : { url, actions: [], variables: {} }
}

/** More of a script that is not understood is not looked at. */
const scriptCharsMax = 64 * 1024
