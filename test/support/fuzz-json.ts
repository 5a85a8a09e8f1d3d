// JSON documents for fuzzing: of every shape that is hard on something, up to 64 KiB.
import type { Json } from '../../src/domain/assertions/json-value.ts'
import type { Dice } from './fuzz.ts'

export const documentChars = 64 * 1024

/** Keys that objects inherit, so that a look-up which is not careful finds something. */
export const inheritedKeys = [
  ...['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'length', 'prototype'],
  ...['__defineGetter__', '__lookupGetter__', 'isPrototypeOf', 'at', 'map', 'entries', 'then'],
] as const

const keys = ['a', 'b', 'c', 'd', 'o', 'x', 'foo', 'j j', '☺', '', '0', '-1', "'", '"', '\n']
const texts = [
  '',
  'a',
  'ab',
  'aaaa',
  'é',
  '😀',
  '\ud800',
  '1',
  'true',
  'x.y',
  '[ab]+',
  '(a|b)*',
  '',
]

export interface FuzzDocument {
  readonly name: string
  readonly text: string
  readonly value: Json
  /** Every value of it: nothing else may be selected. */
  readonly values: ReadonlySet<Json>
}

/** As many of an item as so many characters hold. */
function items(item: string, chars = documentChars - 100): string {
  return Array.from({ length: Math.floor(chars / (item.length + 1)) }, () => item).join()
}

const filled = (item: string, chars?: number): string => `[${items(item, chars)}]`

function nested(depth: number, innermost: string, open = '[', close = ']'): string {
  return open.repeat(depth) + innermost + close.repeat(depth)
}

function tree(depth: number): string {
  return depth === 0 ? '1' : `{"a":${tree(depth - 1)},"b":[${tree(depth - 1)}]}`
}

const manyKeys = Array.from({ length: 7_000 }, (_, i) => `"${i.toString(36)}":1`)
const noise = (dice: Dice) => dice.text(documentChars - 20, ['a', 'b'])

/** The hard ones. */
function hardTexts(dice: Dice): readonly (readonly [string, string])[] {
  return [
    ['numbers', filled('1')],
    ['empty lists', filled('[]')],
    ['empty objects', filled('{}')],
    ['small objects', filled('{"a":1,"b":2}')],
    ['short texts', filled('"a"')],
    ['texts of a hundred', filled(JSON.stringify('ab'.repeat(50)))],
    ['one long text', JSON.stringify([noise(dice)])],
    ['two long texts', JSON.stringify([noise(dice).slice(0, 32_000), 'a'.repeat(32_000)])],
    ['the same long text', JSON.stringify({ a: 'a'.repeat(32_000), b: 'a'.repeat(32_000) })],
    ['many keys', `{${manyKeys}}`],
    ['many keys, twice', `{"a":{${manyKeys.slice(0, 3_000)}},"b":{${manyKeys.slice(0, 3_000)}}}`],
    ['equal lists', `{"a":${filled('1', 32_000)},"b":${filled('1', 32_000)}}`],
    ['a deep list of many', nested(31, items('1'))],
    ['deeper than is followed', nested(2_000, '1')],
    ['as deep as fits', nested(32_000, '')],
    ['deep objects', nested(10_000, '1', '{"a":', '}')],
    ['a tree', tree(11)],
    ['rows', filled('{"id":1,"name":"ab","tags":["x","y"],"o":{"a":null,"b":true}}')],
    ['inherited keys', filled(`{${inheritedKeys.map((key) => `"${key}":{}`)}}`)],
    [
      'inherited keys of lists',
      `{${inheritedKeys.map((key) => `"${key}":[1,"a",{"${key}":null}]`)}}`,
    ],
    ['patterns', filled('{"a":"aaaaaaaaaaaaaaaaaaaaaaaa","b":"(a+)+[bc]"}')],
  ]
}

export function hardDocuments(dice: Dice): readonly FuzzDocument[] {
  return hardTexts(dice).map(([name, text]) => documentOf(name, text))
}

export function randomDocument(dice: Dice): FuzzDocument {
  let left = 1 + dice.below(200)
  const valueAt = (depth: number): Json => {
    left -= 1
    if (depth > 8 || left < 0 || dice.chance(0.4)) {
      return dice.pick([null, true, false, 0, -0, 1, 1.5, 1e300, -7, ...texts])
    }
    const length = dice.below(6)
    if (dice.chance(0.5)) return Array.from({ length }, () => valueAt(depth + 1))
    const entries = Array.from({ length }, () => {
      const key: string = dice.chance(0.2) ? dice.pick(inheritedKeys) : dice.pick(keys)
      return [key, valueAt(depth + 1)] as const
    })
    return Object.fromEntries(entries)
  }
  return documentOf('random', JSON.stringify(valueAt(0)))
}

function documentOf(name: string, text: string): FuzzDocument {
  const value: Json = JSON.parse(text)
  const values = new Set<Json>()
  const pending: Json[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    values.add(next)
    if (typeof next === 'object' && next !== null) pending.push(...Object.values(next))
  }
  return { name, text, value, values }
}
