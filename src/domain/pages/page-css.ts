// The style sheet that an organization writes for a status page: a strict part of CSS, which can neither load
// anything nor cover the window. What a browser could read otherwise than this file is refused: escapes,
// controls, and whatever does not end.

export const pageCssBytesMax = 16 * 1024
/** Blocks within blocks: a rule in a condition in a layer. */
const blocksMax = 4
/** Brackets within brackets, of functions and selectors. */
const bracketsMax = 12

const atRules: ReadonlySet<string> = new Set([
  ...['@media', '@supports', '@container', '@layer', '@keyframes'],
])

/** None of them loads anything. */
const functions: ReadonlySet<string> = new Set(
  [
    'var env calc min max clamp round mod rem abs sign sin cos tan pow sqrt hypot',
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark',
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient',
    'repeating-radial-gradient repeating-conic-gradient cubic-bezier steps linear',
    'translate translatex translatey translate3d scale scalex scaley rotate skew skewx skewy',
    'blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia',
    'repeat minmax fit-content inset circle ellipse polygon counter counters',
    'not is where has nth-child nth-last-child nth-of-type nth-last-of-type lang dir selector',
  ].flatMap((names) => names.split(' ')),
)

/** A comment, a text, an at-rule, a name with the bracket of a function, space, or a sign. */
const tokens = new RegExp(
  [
    String.raw`\/\*[^]*?\*\/`,
    String.raw`"[^"\n\r\f\\]*"|'[^'\n\r\f\\]*'`,
    '@[a-z-]+',
    String.raw`[\w\u0080-\uffff-]+\(?`,
    String.raw`[ \t\n\r]+`,
    String.raw`\/(?!\*)|[,:;.#%+*>~=|^$!&<?[\](){}]`,
  ].join('|'),
  'iy',
)

/** Why a page cannot have this style sheet, with the line, as the end of a sentence; null if it can. */
export function pageCssProblem(css: string): string | null {
  if (Buffer.byteLength(css) > pageCssBytesMax) {
    return `must have at most ${pageCssBytesMax / 1024} KiB`
  }
  const open: string[] = []
  tokens.lastIndex = 0
  for (let at = 0; at < css.length; at = tokens.lastIndex) {
    tokens.lastIndex = at
    const [token] = tokens.exec(css) ?? []
    const problem = token === undefined ? unreadable(css, at) : tokenProblem(token, open)
    if (problem !== null) return `line ${lineOf(css, at)}: ${problem}`
  }
  return open.length > 0 ? `must close every ${open.at(-1)}` : null
}

/** Takes note of what the token opens or closes. */
function tokenProblem(token: string, open: string[]): string | null {
  const name = token.toLowerCase()
  if (/^["']|^\/\*/.test(token)) return null
  if (name.startsWith('@')) {
    return atRules.has(name) ? null : `must not use ${token}`
  }
  if (name === 'fixed' || name === 'sticky') {
    return `must not use ${name}: nothing may stay over the page`
  }
  if (name.endsWith('(')) {
    const called = name.slice(0, -1)
    if (called !== '' && !functions.has(called)) return `must not use ${called}()`
    open.push('(')
  } else if (name === '[' || name === '{') open.push(name)
  const closed = pairs[name]
  if (closed !== undefined && open.pop() !== closed) return `must not have a ${token} here`
  if (open.filter((one) => one === '{').length > blocksMax) return 'must not nest so many blocks'
  return open.length > bracketsMax ? 'must not nest so many brackets' : null
}

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

function unreadable(css: string, at: number): string {
  const [sign = ''] = css.slice(at)
  if (sign === '/' || sign === '"' || sign === "'") return `must close what ${sign} begins`
  return sign === '\\' ? 'must not use \\' : `must not use ${JSON.stringify(sign)}`
}

const lineOf = (css: string, at: number) => css.slice(0, at).split('\n').length
