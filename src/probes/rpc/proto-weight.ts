// How much a message becomes when it is read: a few bytes of it can stand for a type with many fields.
import type * as Library from '@bufbuild/protobuf'
import type * as Wire from '@bufbuild/protobuf/wire'
import { requireLibrary } from '../../base/assets.ts'
import { beyond } from '../run/driver-socket.ts'

/** In characters of JSON, without the values that the bytes have. */
const weightMax = 4 * 1024 * 1024
/** The weight of a field besides its name. */
const fieldWeight = 16
/** A tag is the number of a field, and above the lowest three bits the way in which it is written. */
const [delimited, startGroup, endGroup] = [2, 3, 4]

const anyType = 'google.protobuf.Any'

interface MessageShape {
  readonly weight: number
  readonly fields: ReadonlyMap<number, Library.DescField>
}

/** Weighs messages together. `types`: what a message of any type may be. */
export function createScale(types?: Library.Registry) {
  const { BinaryReader } = requireLibrary('@bufbuild/protobuf/wire') as typeof Wire
  const shapes = new Map<Library.DescMessage, MessageShape>()
  const longest = new Map<Library.DescEnum, number>()
  let weight = 0

  function add(more: number): void {
    weight += more
    if (weight > weightMax) throw beyond('4 MiB of JSON')
  }

  function nameWeight(type: Library.DescEnum | undefined): number {
    if (type === undefined) return 0
    let found = longest.get(type)
    if (found === undefined) {
      found = type.values.reduce((most, { name }) => Math.max(most, name.length), 0)
      longest.set(type, found)
    }
    return found
  }

  function shapeOf(type: Library.DescMessage): MessageShape {
    let shape = shapes.get(type)
    if (shape === undefined) {
      const weights = type.fields.map(
        (one) => fieldWeight + one.jsonName.length + nameWeight(one.enum),
      )
      shape = {
        weight: weights.reduce((sum, one) => sum + one, fieldWeight),
        fields: new Map(type.fields.map((one) => [one.number, one])),
      }
      shapes.set(type, shape)
    }
    return shape
  }

  /** A value of a field; of a map, an entry. */
  function weighField(reader: Wire.BinaryReader, field: Library.DescField, wire: number): void {
    if (wire !== delimited) {
      reader.skip(wire)
      return
    }
    const bytes = reader.bytes()
    if (field.fieldKind === 'map') weighEntry(bytes, field)
    else if (field.message !== undefined) weigh(field.message, bytes)
    else if (field.enum !== undefined) add(bytes.length * nameWeight(field.enum))
  }

  function weighEntry(bytes: Uint8Array, field: Library.DescField): void {
    add(fieldWeight + nameWeight(field.enum))
    const value = field.message
    // A value that the entry leaves out is an empty one.
    if (value !== undefined) add(shapeOf(value).weight)
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      const [number, wire] = reader.tag()
      if (number === 2 && wire === delimited && value !== undefined) weigh(value, reader.bytes())
      else reader.skip(wire)
    }
  }

  /** Throws a RunError if it becomes too much, and an error if the bytes are none. */
  function weigh(type: Library.DescMessage, bytes: Uint8Array): void {
    const reader = new BinaryReader(bytes)
    weighFields(reader, type)
    if (type.typeName === anyType) weighAny(bytes)
  }

  function weighFields(reader: Wire.BinaryReader, type: Library.DescMessage): void {
    const { weight, fields } = shapeOf(type)
    add(weight)
    while (reader.pos < reader.len) {
      const [number, wire] = reader.tag()
      if (wire === endGroup) return
      const field = fields.get(number)
      if (field === undefined) {
        reader.skip(wire, number)
      } else if (wire === startGroup && field.message !== undefined) {
        weighFields(reader, field.message)
      } else {
        if (field.enum !== undefined) add(nameWeight(field.enum))
        weighField(reader, field, wire)
      }
    }
  }

  function weighAny(bytes: Uint8Array): void {
    let url = ''
    let value: Uint8Array = new Uint8Array()
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      const [number, wire] = reader.tag()
      if (number === 1 && wire === delimited) url = reader.string()
      else if (number === 2 && wire === delimited) value = reader.bytes()
      else reader.skip(wire)
    }
    const type = types?.getMessage(url.slice(url.lastIndexOf('/') + 1))
    if (type !== undefined) weigh(type, value)
  }

  return { weigh }
}
