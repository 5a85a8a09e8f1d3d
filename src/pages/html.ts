// The escaping template tag: everything interpolated is text unless this file itself made it.
import { assert } from '../base/assert.ts'
import { escapedMarkup } from '../base/formats/markup.ts'

const markup = Symbol('markup')

/** Markup made by `html`. Other code cannot make it, because the symbol is private to this file. */
export interface Html {
  readonly [markup]: string
}

export type Piece = Html | string | number | false | null | undefined | readonly Piece[]

type HoleContext = 'text' | 'attribute' | 'url'

// Controls have no business in a page, and NUL makes parsers disagree about what follows it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
const safeUrl = /^(?:https:\/\/|\/(?![/\\])|#)/i

function textMarkup(text: string): string {
  return escapedMarkup(text.toWellFormed().replace(controls, '\ufffd'), /[&<>"'`]/g)
}

function rendered(piece: Piece, place: HoleContext): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'number') return String(piece)
  if (typeof piece === 'string')
    return place === 'url' && !safeUrl.test(piece) ? '' : textMarkup(piece)
  if (!(markup in piece)) return piece.map((item) => rendered(item, place)).join('')
  assert(place === 'text', 'markup stands between tags, never inside one')
  return piece[markup]
}

/** Determines the context of each hole in a template. A hole anywhere else is a bug. */
function placesOf(strings: readonly string[]): HoleContext[] {
  let before = ''
  return strings.slice(0, -1).map((part) => {
    before += part
    const tag = before.slice(before.lastIndexOf('<'))
    if (tag.includes('>')) {
      assert(!/^<(?:script|style)\b/i.test(tag), 'a hole is never inside a script or a style')
      return 'text'
    }
    if (!tag.startsWith('<')) return 'text'
    // Holes leave no trace in `before`, so the last opened quote decides.
    const [, attribute, begun] = /\s([a-z-]+)="([^"]*)$/i.exec(tag) ?? []
    assert(attribute && tag.split('"').length % 2 === 0, 'attribute holes are in quotes')
    assert(!/^(?:on|style$|srcdoc$)/i.test(attribute), `a hole may not be in ${attribute}`)
    const isUrl = /^(?:href|src)$/i.test(attribute)
    return isUrl && begun === '' ? 'url' : 'attribute'
  })
}

const knownPlaces = new WeakMap<TemplateStringsArray, HoleContext[]>()

/**
 * Escapes each value for its context: text, a quoted attribute, or a URL in href and src (https, a
 * path of this service or a fragment; anything else becomes empty). Lists are joined.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let places = knownPlaces.get(strings)
  if (!places) {
    places = placesOf(strings)
    knownPlaces.set(strings, places)
  }
  let text = strings[0] ?? ''
  for (const [index, piece] of pieces.entries()) {
    text += rendered(piece, places[index] ?? 'attribute') + strings[index + 1]
  }
  return { [markup]: text }
}

const checkedTag = new RegExp(
  [
    '</?(?:p|strong|em|s|code|pre|ul|ol|li|blockquote|h[2-6])>',
    '<(?:br|hr)>',
    '<ol start="\\d{1,9}">',
    '<a href="(?:https?://|mailto:)[^"<>\\s]*" rel="nofollow noopener noreferrer">',
    '</a>',
  ].join('|'),
  'y',
)

/**
 * Markup of rendered Markdown, or null if it is not what `pages/markdown.ts`, the only caller, is
 * known to make. Every `<` must begin one of a few tags without attributes, or a link to the web or
 * a mail address, so no script, image or style can be in it whatever the library does.
 */
export function checkedMarkup(text: string): Html | null {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    checkedTag.lastIndex = at
    if (!checkedTag.test(text)) return null
  }
  return { [markup]: text.replace(controls, '\ufffd') }
}

/** An element with a style sheet of the program itself, which no text of others is a part of. */
export function inlineStyle(css: string): Html {
  assert(!css.includes('<'), 'a style sheet has no tags')
  return { [markup]: `<style>${css}</style>` }
}

/** The markup as text, for the wire. */
export function toText(page: Html): string {
  return page[markup]
}
