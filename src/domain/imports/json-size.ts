// Looks at a JSON text before it is parsed, for what parsing costs: its values, how deep they nest, and its shapes.
import { foreignDepthMax } from './value-count.ts'

/**
 * A list of names that objects begin with. An engine makes a class of each: a text in which every object has its own
 * costs a hundred times as much as one with as many objects that are alike.
 */
type NameChain = Map<string, NameChain>

export interface JsonSizeBounds {
  readonly valuesMax: number
  readonly shapesMax: number
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** A look that can be interrupted. Whether the text is JSON is left to the parser. */
export function createJsonSize(text: string, { valuesMax, shapesMax }: JsonSizeBounds) {
  const root: NameChain = new Map()
  /** What is open: the names of an object so far, or undefined for a list. */
  const open: (NameChain | undefined)[] = []
  let at = 0
  let isName = false
  let values = 1
  let shapes = 0

  function opens(isObject: boolean): void {
    isName = isObject
    open.push(isObject ? root : undefined)
    values += 1
  }

  function named(name: string): void {
    const before = open.at(-1)
    isName = false
    if (before === undefined) return
    const known = before.get(name)
    const chain: NameChain = known ?? new Map()
    if (known === undefined) {
      before.set(name, chain)
      shapes += 1
    }
    open[open.length - 1] = chain
  }

  return {
    /** Goes on to about this place; false once it is beyond a bound. */
    readTo(endAt: number): boolean {
      for (; at < Math.min(endAt, text.length); at += 1) {
        switch (text.charCodeAt(at)) {
          case openBrace:
            opens(true)
            break
          case openBracket:
            opens(false)
            break
          case closeBrace:
          case closeBracket:
            open.pop()
            isName = false
            break
          case comma:
            isName = open.at(-1) !== undefined
            values += 1
            break
          case quote: {
            const from = at
            at = endOfText(text, at)
            if (isName) named(text.slice(from, at))
          }
        }
        if (values > valuesMax || shapes > shapesMax || open.length > foreignDepthMax) return false
      }
      return true
    },
    values: () => values,
  }
}

/** Where the text in quotes ends that begins there. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const end = text.indexOf('"', at)
    if (end < 0) return text.length
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
    at = end
  }
  return text.length
}
