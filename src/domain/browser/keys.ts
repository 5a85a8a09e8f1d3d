// The keys that an action can press, by their names in the browser (UI Events KeyboardEvent key Values).

/** Windows virtual-key codes, which pages still read as `keyCode`; and what the key writes. */
const named: Readonly<Record<string, readonly [code: number, text?: string]>> = {
  Enter: [13, '\r'],
  Tab: [9],
  Escape: [27],
  Backspace: [8],
  Delete: [46],
  Space: [32, ' '],
  ArrowUp: [38],
  ArrowDown: [40],
  ArrowLeft: [37],
  ArrowRight: [39],
  Home: [36],
  End: [35],
  PageUp: [33],
  PageDown: [34],
  ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`F${i + 1}`, [112 + i]])),
}

/** The bits of `Input.dispatchKeyEvent`. */
const modifierBits = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const

export interface Key {
  readonly key: string
  readonly code: string
  readonly keyCode: number
  /** What it writes; undefined if nothing. */
  readonly text?: string
  readonly modifiers: number
}

export const keyRule = `must be a key such as Enter, a, or Control+a: a letter, a digit, or one of ${Object.keys(named).join(', ')}`

export function isKey(text: string): boolean {
  return readKey(text) !== undefined
}

/** `Control+a`; undefined if there is no such key. */
export function readKey(text: string): Key | undefined {
  const parts = text.split('+')
  const name = parts.pop() ?? ''
  let modifiers = 0
  for (const part of parts) {
    const bit = Object.hasOwn(modifierBits, part)
      ? modifierBits[part as keyof typeof modifierBits]
      : undefined
    if (bit === undefined) return undefined
    modifiers |= bit
  }
  const isTyped = (modifiers & ~modifierBits.Shift) === 0
  if (Object.hasOwn(named, name)) {
    const [keyCode, text] = named[name] ?? [0]
    const key = name === 'Space' ? ' ' : name
    return { key, code: name, keyCode, modifiers, ...(text && isTyped ? { text } : {}) }
  }
  if (!/^[a-zA-Z\d]$/.test(name)) return undefined
  const upper = name.toUpperCase()
  return {
    key: name,
    code: /\d/.test(name) ? `Digit${name}` : `Key${upper}`,
    keyCode: upper.charCodeAt(0),
    modifiers,
    ...(isTyped ? { text: name } : {}),
  }
}
