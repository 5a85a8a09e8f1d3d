// The check by a command that the operator listed, with the exit codes of the plugins of Nagios and Icinga.
// https://www.monitoring-plugins.org/doc/guidelines.html
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'
import { wrongUrl } from '../run/probe-run.ts'
import { badState, cannotLook, createTurns, shownAnswer } from './found.ts'
import { runProgram } from './program.ts'

const commandsPerNameMax = 4

export const command = defineKind({
  type: 'command',
  family: 'machine',
  fields: ['machine'],
  sources: [],
  textName: 'answer',
  schemes: ['command'],
  icon: 'square-terminal',
  example: 'command://raid?disk=sda',
  urlForm:
    '`command://name`, a program that the operator of the daemon or the probe lists under that name ' +
    '(`checks.commands`); its query gives what the list leaves open. The exit codes are those of Nagios: 0 is ' +
    'good, 1 degraded, 3 unknown, any other one down. The answer is JSON with `value` (the exit code), `output`, ' +
    'and `performance`, the performance data by their labels',
  finds: 'json',
  ownsQuery: true,
  parse: parseCommandUrl,
  machine: ({ name }) => ({
    what: 'a command of this machine',
    settings: 'checks.commands',
    isListed: ({ commands }) => Object.hasOwn(commands, name),
  }),
  open({ guard }) {
    const turns = createTurns(commandsPerNameMax)
    return {
      async look({ name, query }, _target, run) {
        const [program = '', ...words] = guard.machine().commands[name] ?? []
        const args = filledIn(words, query)
        const end = await turns.take(run, name, () => runProgram(run, program, args))
        const { exitCode, signal } = end
        const [output, performance] = readOutput(end.output || end.errors)
        const answer = shownAnswer(run, { value: exitCode, exitCode, output, performance })
        switch (exitCode) {
          case 0:
            return answer
          case 1:
            return { ...answer, degradedBy: 'the command warns' }
          case 2:
            throw badState('the command reports a critical state')
          case 3:
            throw cannotLook('the command says that it does not know')
          case null:
            throw badState('the command was ended by a signal', signal)
          default:
            throw badState(`the command failed with exit code ${exitCode}`)
        }
      },
    }
  },
})

interface CommandUrl {
  readonly name: string
  readonly query: string
  readonly problem?: never
}

/** What a monitor may give: nothing that a program takes for an option. */
const valueForm = /^[^-\p{Cc}][^\p{Cc}]{0,199}$/u

function parseCommandUrl(text: string): CommandUrl | UrlFault {
  const url = parsePlaceUrl(text, ['command'])
  if (url.problem !== undefined) return url
  const { host, port, path, query } = url
  if (port !== null || path.length > 1)
    return { problem: 'must end after the name, or with a query' }
  for (const value of new URLSearchParams(query).values()) {
    if (valueForm.test(value)) continue
    return { problem: 'must give values of 1 to 200 characters that do not begin with -' }
  }
  return { name: host, query }
}

const hole = /\{([a-z][\w-]*)\}/g

/** The words of the operator, with what the monitor gives in their holes: each stays one word. */
function filledIn(words: readonly string[], query: string): readonly string[] {
  const names = words.flatMap((word) => [...word.matchAll(hole)].map(([, name = '']) => name))
  const given = readOptions(query, Object.fromEntries(names.map((name) => [name, null])))
  if ('problem' in given && typeof given.problem === 'string') throw wrongUrl(given.problem)
  const values = new Map(Object.entries(given))
  return words.map((word) =>
    word.replace(hole, (_, name: string) => {
      const value = values.get(name)
      if (value === undefined) throw wrongUrl(`must give ${name}`)
      return value
    }),
  )
}

/** Bounded, so that no text makes it look at everything again from each letter. */
const metric = /(?:'((?:[^']|''){1,100})'|([^\s'=]{1,100}))=(-?[\d.]{1,30})([^\s;]{0,20})/g
const metricsMax = 100
const metricsCharsMax = 8_192

/** The text without the performance data, and these: `{"/": {"value": 2643, "unit": "MB"}}`. */
function readOutput(text: string): readonly [output: string, performance: object] {
  const output: string[] = []
  const data: string[] = []
  // In the first line they follow a |; of the lines after it, all that follow the next one.
  const [first = '', ...more] = text.split('\n')
  for (const part of [first, more.join('\n')]) {
    const at = part.indexOf('|')
    output.push(at < 0 ? part : part.slice(0, at))
    if (at >= 0) data.push(part.slice(at + 1))
  }
  const metrics = data.join(' ').slice(0, metricsCharsMax).matchAll(metric)
  const found = [...metrics].slice(0, metricsMax)
  const performance = found.map(([, quoted, bare = '', value, unit]) => {
    return [quoted?.replaceAll("''", "'") ?? bare, { value: Number(value), unit }] as const
  })
  return [output.join('\n').trim(), Object.fromEntries(performance)]
}
