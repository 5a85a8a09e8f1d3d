// Writes the fields of a value that a schema names as JSON text, so that nothing else leaves the
// service.
import type { TSchema } from 'typebox'
import { assert } from '../assert.ts'
import { perObject } from '../per-object.ts'
import { createPick, type Pick } from './pick.ts'

export type Write = (value: unknown) => string

/**
 * An object in parts that have no field in common. A lasting part is the same object as long as its
 * fields are the same, so its text is written once for all responses.
 */
export class Parts<out Whole> {
  declare protected readonly whole: Whole
  /** The fields that differ between responses. */
  readonly changing: object
  readonly lasting: readonly object[]

  private constructor(changing: object, lasting: readonly object[]) {
    this.changing = changing
    this.lasting = lasting
  }

  static of<Changing extends object, First extends object, Second extends object>(
    changing: Changing,
    first: First,
    second: Second,
  ): Parts<Changing & First & Second> {
    return new Parts(changing, [first, second])
  }

  /** Returns one object, for code that does not write it part by part. */
  toJSON(): object {
    return Object.assign({}, ...this.lasting, this.changing)
  }
}

/**
 * A value that was written before, piece by piece with the writers of its parts: writing it at once
 * would keep everything else waiting.
 */
export class Written<out Whole> {
  declare protected readonly whole: Whole
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** An object whose only field is a list. */
  static list<Name extends string, Item>(
    name: Name,
    items: readonly string[],
  ): Written<{ readonly [name in Name]: Item[] }> {
    return new Written(`{${JSON.stringify(name)}:[${items.join(',')}]}`)
  }

  /** JSON that was written elsewhere, such as in another process. */
  static foreign<Whole>(text: string): Written<Whole> {
    return new Written(text)
  }
}

/**
 * The writer of a schema, made with the first value; shared by all callers, so that lasting parts are
 * written once.
 */
export const writerOf: (schema: TSchema) => Write = perObject((schema) => {
  let write: Write | undefined
  return (value) => {
    write ??= createWrite(schema)
    return write(value)
  }
})

function createWrite(schema: TSchema): Write {
  const pick = createPick(schema)
  const { properties } = schema as { readonly properties?: Record<string, TSchema> }
  const writeParts = properties && createPartsWriter(properties)
  return (value) => {
    if (value instanceof Written) return value.text
    if (value instanceof Parts && writeParts) return writeParts(value)
    return JSON.stringify(pick(value)) ?? 'null'
  }
}

interface Field {
  readonly name: string
  /** The name in written form. */
  readonly key: string
  readonly pick: Pick
}

/** Consecutive fields of the schema in the same part. */
interface FieldRun {
  /** The number of a lasting part, or -1. */
  readonly part: number
  readonly fields: readonly Field[]
}

/** A written object. */
interface PartsText {
  readonly parts: Parts<unknown>
  readonly pieces: readonly string[]
  readonly text: string
}

function createPartsWriter(properties: Record<string, TSchema>) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    return { name, key: `${JSON.stringify(name)}:`, pick: createPick(schema) }
  })
  /** The text of each run of each lasting part, by the number of the run. */
  const texts = new WeakMap<object, readonly string[]>()
  let runs: readonly FieldRun[] = []

  function textsOf(lasting: object, part: number): readonly string[] {
    const known = texts.get(lasting)
    if (known) return known
    const named = fields.filter(({ name }) => name in lasting).length
    const own = runs.filter((run) => run.part === part)
    const planned = own.flatMap((run) => run.fields)
    const isPlanned = planned.length === named && planned.every(({ name }) => name in lasting)
    assert(isPlanned, 'a lasting part always has the same fields')
    const made = runs.map((run) => (run.part === part ? runText(run, lasting) : ''))
    texts.set(lasting, made)
    return made
  }

  /** The last text for each first part, which is nearly always used again. */
  const last = new WeakMap<object, PartsText>()

  return (parts: Parts<unknown>): string => {
    const { changing, lasting } = parts
    if (runs.length === 0) runs = runsOf(fields, lasting)
    const [first = changing] = lasting
    const before = last.get(first)
    if (before?.parts === parts) return before.text
    const ofParts = lasting.map(textsOf)
    const pieces = runs.map((run, at) => ofParts[run.part]?.[at] ?? runText(run, changing))
    const isSame = before?.pieces.every((piece, at) => piece === pieces[at])
    const text =
      before && isSame ? before.text : `{${pieces.filter((piece) => piece !== '').join(',')}}`
    last.set(first, { parts, pieces, text })
    return text
  }
}

/** The part of each field is the same for all values of a schema. */
function runsOf(fields: readonly Field[], lasting: readonly object[]): FieldRun[] {
  const runs: { part: number; fields: Field[] }[] = []
  for (const field of fields) {
    const part = lasting.findIndex((one) => field.name in one)
    const last = runs.at(-1)
    if (last?.part === part) last.fields.push(field)
    else runs.push({ part, fields: [field] })
  }
  return runs
}

function runText({ fields }: FieldRun, part: object): string {
  const values = part as Readonly<Record<string, unknown>>
  let text = ''
  for (const { name, key, pick } of fields) {
    const value = JSON.stringify(pick(values[name]))
    if (value !== undefined) text += (text === '' ? key : `,${key}`) + value
  }
  return text
}
