// Every regular expression of src/ against texts made to be hard on it: found by itself, none may
// be slow on 50,000 characters. A new one is covered as soon as it is written.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { apiRoutes } from '../../src/http/api/api.ts'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'
import { amount, patient } from '../support/depth.ts'
import { regexLiterals } from '../support/regex-literals.ts'
import { leastMs } from '../support/starvation.ts'

const root = join(import.meta.dirname, '../../src')
const charsMax = 50_000
/** Exactly this many where the machine has nothing else to do: npm run test:deep */
const msMax = patient(10)

/** The expressions that see less of a text than this test gives them, and why that is so. */
const bounded: readonly [where: string, chars: number, reason: string][] = [
  ['console/base/address-in.ts', 500, 'the beginning of a name that somebody types'],
  ['net/http-client/charset.ts', 1_024, 'only the beginning of a document is looked at'],
  ['domain/imports/kuma/kuma-brokers.ts', 2_048, 'only so much of an address is read'],
  ['domain/steps/convert/postman-scripts.ts', 1_024, 'longer lines of scripts are not read'],
  ['probes/machine/command.ts', 8_192, 'longer performance data are cut'],
  ['probes/http/digest.ts', 2_048, 'only so much of a challenge is read'],
  ['pages/wording.ts', 12, 'a number that was just written'],
]

interface Suspect {
  readonly where: string
  readonly regex: RegExp
  readonly chars?: number
}

const literals = globSync('**/*.ts', { cwd: root }).flatMap((file) =>
  regexLiterals(readFileSync(join(root, file), 'utf8')).map(({ source, flags, line }): Suspect => {
    return { where: `${file}:${line} /${source}/${flags}`, regex: new RegExp(source, flags) }
  }),
)

/** The expressions that schemas name. What is too long for its schema is refused before. */
function inSchemas(value: unknown): Suspect[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(inSchemas)
  if (!('pattern' in value) || typeof value.pattern !== 'string') return inner
  const regex = new RegExp(value.pattern, 'u')
  const max = 'maxLength' in value ? Number(value.maxLength) : charsMax
  return [...inner, { where: `schema ${value.pattern}`, regex, chars: Math.min(max, charsMax) }]
}

/** Each once, with the longest text that it sees. */
const schemas = [
  ...new Map(
    inSchemas(openApiDocument(apiRoutes, { baseUrl: 'http://a.test', version: '1.2.3' }))
      .toSorted((one, other) => (one.chars ?? 0) - (other.chars ?? 0))
      .map((suspect) => [suspect.where, suspect]),
  ).values(),
]

/** The expressions that are made of pieces when their module is loaded. */
async function madeOnLoad(): Promise<Suspect[]> {
  const made: Suspect[] = []
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags]: [string, string?]) {
      const regex = new target(source, flags)
      if (/[\\/]src[\\/]/.test(String(new Error('where').stack))) {
        made.push({ where: `made /${regex.source}/`, regex })
      }
      return regex
    },
  })
  for (const file of globSync('**/*.ts', { cwd: root })) {
    const code = readFileSync(join(root, file), 'utf8')
    if (/^(export )?const \w+ = new RegExp\(/m.test(code)) {
      await import(`${join(root, file)}?again`)
    }
  }
  globalThis.RegExp = Original
  return made
}

const representatives: Readonly<Record<string, readonly string[]>> = {
  d: ['1'],
  w: ['a', '_', '7'],
  s: [' ', '\n'],
  S: ['a'],
  W: ['-'],
  D: ['a'],
  t: ['\t'],
  r: ['\r'],
  n: ['\n'],
  0: ['\0'],
}
const always = [' ', 'a', '1', '\n', 'é']

/** Texts that parts of the expression may match: its literal runs, and one of each class. */
function piecesOf({ source }: RegExp): string[] {
  const pieces = new Set<string>(always)
  for (const [token, escaped, set, run] of source.matchAll(
    /\\([pP]\{\w+\}|u\{?[\da-fA-F]+\}?|x[\da-fA-F]{2}|.)|\[((?:\\.|[^\]\\])*)\]|([\w<>&#;:=@"'/,%~`!-]+)/gu,
  )) {
    if (run !== undefined) pieces.add(run)
    for (const piece of membersOf(escaped, set)) pieces.add(piece)
    if (token === '\\p{L}') pieces.add('ä')
  }
  return [...pieces].slice(0, 24)
}

function membersOf(escaped: string | undefined, set: string | undefined): readonly string[] {
  if (escaped !== undefined) {
    const [name = ''] = escaped
    return representatives[name] ?? (/[\w]/.test(name) ? [] : [escaped])
  }
  if (set === undefined) return []
  return (
    set
      .replace(/^\^/, '')
      .match(/\\?./gsu)
      ?.flatMap((one) => {
        return one.length > 1 ? membersOf(one.slice(1), undefined) : [one]
      }) ?? []
  )
}

/** What comes first, what is repeated, and what comes last and fits to nothing. */
interface Attack {
  readonly head: string
  readonly pump: string
  readonly tail: string
}

/** How many of the beginnings stand before a repetition of one piece, and of several, in turn. */
const headsOfOne = amount(2, 20)
const headsOfPairs = amount(1, 20)

function attacksOn(regex: RegExp): Attack[] {
  const pieces = piecesOf(regex)
  const runs = pieces.filter((piece) => !always.includes(piece))
  const heads = ['', ...runs.slice(0, 6), runs.join(''), runs.slice(0, 2).join(' ')]
  const pairs = [
    ...pieces.flatMap((one) => [`${one} `, ` ${one}`, `${one}a`, `${one}1`]),
    ...runs.slice(0, 8).flatMap((one) => runs.slice(0, 8).map((other) => one + other)),
    runs.join(''),
    runs.join(' '),
  ]
  const pumps = [...new Set([...pieces, ...pairs])].filter((pump) => pump !== '')
  const tails = ['\0', '']
  const differentHeads = [...new Set(heads)]
  return pumps.flatMap((pump, at) => {
    const most = pieces.includes(pump) ? headsOfOne : headsOfPairs
    const chosen =
      most >= differentHeads.length
        ? differentHeads
        : Array.from(
            { length: most },
            (_, more) => differentHeads[(at + more) % differentHeads.length] ?? '',
          )
    return chosen.flatMap((head) => tails.map((tail) => ({ head, pump, tail })))
  })
}

function textOf({ head, pump, tail }: Attack, chars: number): string {
  return head + pump.repeat(Math.max(1, Math.floor(chars / pump.length))) + tail
}

/** As the code does: everything that fits where it is global, else the first. */
function apply(regex: RegExp, text: string): void {
  regex.lastIndex = 0
  if (regex.global) text.replace(regex, '')
  else regex.test(text)
}

/** Roughly, because it is asked very often. */
function isQuick(regex: RegExp, text: string, enoughMs: number): boolean {
  let ms = Number.POSITIVE_INFINITY
  for (let left = 3; left > 0 && ms > enoughMs && (left === 3 || ms < 20 * enoughMs); left--) {
    const startedMs = performance.now()
    apply(regex, text)
    ms = Math.min(ms, performance.now() - startedMs)
  }
  return ms <= enoughMs
}

/**
 * Short first: what is exponential never comes to the long ones. What grows with the square of the
 * characters, and takes `msMax` for all, takes 0.1 ms for those of the second stage.
 */
const stages = [
  { chars: 22, enoughMs: 1 },
  { chars: charsMax * Math.sqrt(0.1 / msMax), enoughMs: 0.1 },
] as const

/**
 * Milliseconds for the hardest text that was found, of at most so many characters. The search ends at one
 * that takes longer than `slowMs`.
 */
function worstOf(
  regex: RegExp,
  chars: number,
  slowMs = 5 * msMax,
): { readonly ms: number; readonly attack: string } {
  let worst = { ms: 0, attack: '' }
  for (const attack of attacksOn(regex)) {
    const doubtful = stages.find(({ chars: few, enoughMs }) => {
      return !isQuick(regex, textOf(attack, Math.min(few, chars)), enoughMs)
    })
    if (doubtful === undefined) continue
    const isHopeless = doubtful.chars < 100
    const text = textOf(attack, isHopeless ? Math.min(24, chars) : chars)
    const ms = leastMs(msMax, () => apply(regex, text))
    if (ms > worst.ms) worst = { ms, attack: JSON.stringify(attack) }
    if (ms > slowMs) break
  }
  return worst
}

t.test('the search for literals finds them, and nothing else', async (t) => {
  const code = [
    'const a = b / c / d // no /regex/ here',
    "const s = '/not/' + /yes\\/[/]/gu.source",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    'const u = `<a href="/x/">${e.replace(/"/g, `${/in/.source}`)}</a>/no/`',
    'if (x) return /last/i',
  ].join('\n')
  const found = regexLiterals(code).map(({ source, flags, line }) => `${line} /${source}/${flags}`)
  t.same(found, ['2 /yes\\/[/]/gu', '3 /"/g', '3 /in/', '4 /last/i'])
})

t.test('the attacks find slow expressions', async (t) => {
  for (const evil of [/^(a+)+$/, /\s+$/, /^\d+\.?\d*$/, /<a\s[^>]*?b/]) {
    const slowMs = 1
    const { ms } = worstOf(evil, amount(4_000, 7_500), slowMs)
    t.ok(ms > slowMs, `${evil.source}: ${ms}`)
  }
})

t.test('none of our regular expressions is slow on a hostile text', async (t) => {
  const made = await madeOnLoad()
  t.ok(literals.length > 200 && schemas.length > 10 && made.length >= 3)
  const slow: string[] = []
  for (const { where, regex, chars = charsMax } of [...literals, ...schemas, ...made]) {
    const [, less = chars] = bounded.find(([place]) => where.startsWith(place)) ?? []
    const { ms, attack } = worstOf(regex, less)
    if (ms > msMax) slow.push(`${where}: ${ms.toFixed(1)} ms for ${attack}`)
  }
  t.same(slow, [])
  const idle = bounded.filter(([place]) => !literals.some(({ where }) => where.startsWith(place)))
  t.same(idle, [], 'no exception outlives its expression')
})
