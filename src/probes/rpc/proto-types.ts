// The types of Protocol Buffers, from a text or from descriptors, and messages of them as JSON. Nothing of it
// is turned into code: what servers and people describe is only read.
import type * as Library from '@bufbuild/protobuf'
import type * as WellKnown from '@bufbuild/protobuf/wkt'
import { LRUCache } from 'lru-cache'
import type * as Parser from 'protobufjs'
import { requireLibrary } from '../../base/assets.ts'
import { once } from '../../base/per-object.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { beyond, tooMuch } from '../run/driver-socket.ts'
import { createScale } from './proto-weight.ts'

const library = () => requireLibrary('@bufbuild/protobuf') as typeof Library
const wellKnown = () => requireLibrary('@bufbuild/protobuf/wkt') as typeof WellKnown

/** A method that takes one message, and returns one. */
export interface UnaryMethod {
  /** `/package.Service/Method`. */
  readonly path: string
  /** Throws if the value does not have the type. */
  encode(value: unknown): Uint8Array
  /** As JSON has it. Throws if the bytes do not have the type. */
  decode(bytes: Uint8Array): unknown
}

interface MessageParts {
  readonly proto?: string
  /** The message. */
  readonly json: string
}

/** A body: a message in JSON, and before it the text of a .proto file and a line `---`, if there is one. */
export function partsOf(body: string): MessageParts {
  const [before = '', after] = body.split(/^---[ \t]*$/m, 2)
  const isProto = after !== undefined || !/^\s*([{["\d]|$)/.test(body)
  const json = (isProto ? (after ?? '') : body).trim() || '{}'
  return isProto ? { proto: before, json } : { json }
}

/** What is wrong with a body, as a sentence without its subject. */
export function messageProblem(body: string): string | null {
  const { proto, json } = partsOf(body)
  try {
    JSON.parse(json)
    if (proto === undefined) return null
    if (isTooLong(proto)) return lengthRule
    readProto(proto)
    return null
  } catch (cause) {
    return cause instanceof SyntaxError ? jsonRule : protoRule
  }
}

const jsonRule = 'must be a message in JSON'
const protoRule = 'must have before the line --- a .proto file that can be read'

/** The parser takes time that grows with the square of the text: such a text takes it less than 0.1 s. */
const protoKibMax = 16
const protoFieldsMax = 300
const lengthRule = `must have before the line --- at most ${protoKibMax} KiB and ${protoFieldsMax} fields`

/** Whatever is declared has one of these signs. */
function isTooLong(proto: string): boolean {
  if (Buffer.byteLength(proto) > protoKibMax * 1024) return true
  const count = (sign: RegExp) => proto.match(sign)?.length ?? 0
  return [/;/g, /,/g, /[={:]/g].some((sign) => count(sign) > protoFieldsMax)
}

/** Methods of .proto files that were read, so that a check does not read them again. */
const readMethods = new LRUCache<string, UnaryMethod>({ max: 64 })

/** The method of a .proto file; undefined if that has none of the name. Throws a RunError if it cannot be read. */
export function methodIn(proto: string, name: string): UnaryMethod | undefined {
  const key = `${name}\n${proto}`
  const known = readMethods.get(key)
  if (known !== undefined) return known
  const wrong = (rule: string) => new RunError(failure('blocked', `the body ${rule}`))
  if (isTooLong(proto)) throw wrong(lengthRule)
  try {
    const files = createDescribedFiles()
    files.put(library().create(wellKnown().FileDescriptorProtoSchema, readProto(proto)))
    const method = files.method(name)
    if (method !== undefined) readMethods.set(key, method)
    return method
  } catch (cause) {
    throw cause instanceof RunError ? cause : wrong(protoRule)
  }
}

/** What a server may describe of its types, in all. */
const filesMax = 200
const importsMax = 2_000
const describedBytesMax = 1024 * 1024

export type DescribedFiles = ReturnType<typeof createDescribedFiles>

/** Files that describe types, in any order. */
export function createDescribedFiles() {
  const { create, createFileRegistry, createRegistry, fromBinary, fromJson, toBinary, toJson } =
    library()
  const { FileDescriptorProtoSchema, FileDescriptorSetSchema } = wellKnown()
  const files = new Map<string, WellKnown.FileDescriptorProto>()
  const scale = createScale()
  let imports = 0
  let size = 0
  const find = (name: string) => files.get(name) ?? knownFiles().get(name)

  /** Each file after those that it imports; an import that nobody has is told to `missed`. */
  function ordered(missed: (name: string) => void): WellKnown.FileDescriptorProto[] {
    const seen = new Set<string>()
    const found: WellKnown.FileDescriptorProto[] = []
    const visit = (name: string): void => {
      if (seen.has(name)) return
      seen.add(name)
      const file = find(name)
      if (file === undefined) {
        missed(name)
        return
      }
      for (const one of file.dependency) visit(one)
      found.push(file)
    }
    for (const name of files.keys()) visit(name)
    return found
  }

  function put(file: WellKnown.FileDescriptorProto): void {
    imports += file.dependency.length
    if (files.size >= filesMax || imports > importsMax) throw beyond(`${filesMax} files`)
    for (const type of file.messageType) nameFields(type)
    files.set(file.name, file)
  }

  return {
    put,

    /** Throws if it cannot be read. */
    add(bytes: Uint8Array): void {
      size += bytes.length
      if (size > describedBytesMax) throw new RunError(tooMuch(describedBytesMax))
      scale.weigh(FileDescriptorProtoSchema, bytes)
      put(fromBinary(FileDescriptorProtoSchema, bytes))
    },

    /** An imported file that is not here. */
    missing(): string | undefined {
      let missing: string | undefined
      ordered((name) => (missing ??= name))
      return missing
    },

    /** `name`: `package.Service/Method`. Throws if the files do not fit together. */
    method(name: string): UnaryMethod | undefined {
      const [serviceName = '', methodName = ''] = name.split('/')
      const file = ordered(() => {})
      const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }))
      const service = registry.getService(serviceName)
      const method = service?.methods.find((one) => one.name === methodName)
      if (method === undefined) return undefined
      if (method.methodKind !== 'unary') {
        throw new RunError(failure('blocked', 'the method streams, which a check cannot follow'))
      }
      const { input, output } = method
      // Without extensions, whose fields the scale does not know.
      const types = createRegistry(...[...registry].filter(({ kind }) => kind === 'message'))
      return {
        path: `/${name}`,
        encode: (value) =>
          toBinary(input, fromJson(input, value as Library.JsonValue, { registry })),
        decode(bytes) {
          createScale(types).weigh(output, bytes)
          const message = fromBinary(output, bytes)
          return toJson(output, message, { registry: types, alwaysEmitImplicit: true })
        },
      }
    },
  }
}

/** The library needs the names that fields have in JSON, which many servers leave out. */
function nameFields({ field, nestedType }: WellKnown.DescriptorProto): void {
  for (const one of field) if (one.jsonName === '') one.jsonName = jsonNameOf(one.name)
  for (const type of nestedType) nameFields(type)
}

const jsonNameOf = (name: string) =>
  name.replaceAll(/_+(\w?)/g, (_, letter: string) => letter.toUpperCase())

/** The files of Google's that come with every compiler, by their names. */
const knownFiles = once(
  (): ReadonlyMap<string, WellKnown.FileDescriptorProto> =>
    new Map(
      (Object.values(wellKnown()) as readonly unknown[])
        .filter(
          (one): one is Library.DescFile =>
            typeof one === 'object' && one !== null && 'kind' in one && one.kind === 'file',
        )
        .map(({ proto }) => [proto.name, proto]),
    ),
)

type FileInit = Library.MessageInitShape<typeof WellKnown.FileDescriptorProtoSchema>
type TypeInit = Library.MessageInitShape<typeof WellKnown.DescriptorProtoSchema>
type FieldInit = Library.MessageInitShape<typeof WellKnown.FieldDescriptorProtoSchema>
type EnumInit = Library.MessageInitShape<typeof WellKnown.EnumDescriptorProtoSchema>

/** Reads the text of a .proto file, as a file of syntax 3 whose fields say whether they are there. */
function readProto(text: string): FileInit {
  const { parse, common, Type, Enum, Service } = requireLibrary('protobufjs') as typeof Parser
  const { root, imports = [], package: packageName = '' } = parse(text, { keepCase: true })
  for (const name of new Set(imports)) {
    const known = common.get(name)
    if (known === null) throw new Error(`${name} is not here`)
    root.addJSON(known.nested ?? {})
  }
  root.resolveAll()
  const inside = packageName === '' ? root : root.lookup(packageName)
  const { nestedArray } = inside as Parser.Namespace
  const typesIn = (all: readonly Parser.ReflectionObject[]) =>
    all.filter((one) => one instanceof Type)
  const enumsIn = (all: readonly Parser.ReflectionObject[]) =>
    all.filter((one) => one instanceof Enum)

  function typeOf(type: Parser.Type): TypeInit {
    const oneofs = type.oneofsArray.filter((one) => !one.isProto3Optional).map(({ name }) => name)
    const entries: TypeInit[] = []
    const fields = type.fieldsArray.map((field): FieldInit => {
      const { id: number, name, repeated, partOf, hasPresence, resolvedType } = field
      if (field.map) {
        const { keyType } = field as unknown as Parser.MapField
        const entry = `${name}Entry`
        const key = { name: 'key', number: 1, type: scalars.indexOf(keyType) }
        const value = { name: 'value', number: 2, ...kindOf(field.type, resolvedType) }
        entries.push({ name: entry, field: [key, value], options: { mapEntry: true } })
        return { name, number, label: 3, type: 11, typeName: `${type.fullName}.${entry}` }
      }
      const common = { name, number, ...kindOf(field.type, resolvedType) }
      if (repeated) return { ...common, label: 3 }
      if (partOf && oneofs.includes(partOf.name)) {
        return { ...common, oneofIndex: oneofs.indexOf(partOf.name) }
      }
      if (!hasPresence || resolvedType instanceof Type) return common
      return { ...common, proto3Optional: true, oneofIndex: oneofs.push(`_${name}`) - 1 }
    })
    return {
      name: type.name,
      field: fields,
      oneofDecl: oneofs.map((name) => ({ name })),
      nestedType: [...typesIn(type.nestedArray).map(typeOf), ...entries],
      enumType: enumsIn(type.nestedArray).map(enumOf),
    }
  }

  function kindOf(name: string, resolved: Parser.ReflectionObject | null): FieldInit {
    if (resolved === null) return { type: scalars.indexOf(name) }
    return { type: resolved instanceof Enum ? 14 : 11, typeName: resolved.fullName }
  }

  return {
    name: 'given.proto',
    package: packageName,
    syntax: 'proto3',
    dependency: [...new Set(imports)],
    messageType: typesIn(nestedArray).map(typeOf),
    enumType: enumsIn(nestedArray).map(enumOf),
    service: nestedArray
      .filter((one) => one instanceof Service)
      .map(({ name, methodsArray }) => ({
        name,
        method: methodsArray.map((method) => ({
          name: method.name,
          inputType: method.resolvedRequestType?.fullName ?? '',
          outputType: method.resolvedResponseType?.fullName ?? '',
          clientStreaming: method.requestStream ?? false,
          serverStreaming: method.responseStream ?? false,
        })),
      })),
  }
}

function enumOf({ name, values }: Parser.Enum): EnumInit {
  return { name, value: Object.entries(values).map(([name, number]) => ({ name, number })) }
}

/** By their numbers in descriptors. */
const scalars = [
  ...['', 'double', 'float', 'int64', 'uint64', 'int32', 'fixed64', 'fixed32', 'bool', 'string'],
  ...['group', 'message', 'bytes', 'uint32', 'enum', 'sfixed32', 'sfixed64', 'sint32', 'sint64'],
]
