// What a gRPC server says of its methods: the files that describe them.
// https://github.com/grpc/grpc/blob/master/doc/server-reflection.md
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken } from '../run/driver-socket.ts'
import { type GrpcChannel, grpcProtocol, refusedByStatus, unimplemented } from './grpc-channel.ts'
import {
  createDescribedFiles,
  type DescribedFiles,
  methodIn,
  type UnaryMethod,
} from './proto-types.ts'

/** The newest version first. */
const versions = ['v1', 'v1alpha'] as const
const serviceName = 'ServerReflection/ServerReflectionInfo'

/** The part of the reflection service that the check calls. The call streams, and ends after one answer. */
const reflectionProto = (version: string) => `syntax = "proto3";
package grpc.reflection.${version};
message Request { oneof kind { string file_by_filename = 3; string file_containing_symbol = 4; } }
message Response { Files file_descriptor_response = 4; Failed error_response = 7; }
message Files { repeated bytes file_descriptor_proto = 1; }
message Failed { int32 error_code = 1; string error_message = 2; }
service ServerReflection { rpc ServerReflectionInfo(Request) returns (Response); }`

interface ReflectionAnswer {
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly string[] }
  readonly errorResponse?: { readonly errorCode: number; readonly errorMessage: string }
}

/** The files that describe one method; most servers send all of them at once. */
const filesMax = 100

/** `name`: `package.Service/Method`. Throws a RunError if the server does not describe it. */
export async function describedMethod(channel: GrpcChannel, name: string): Promise<UnaryMethod> {
  const [service = ''] = name.split('/')
  for (const version of versions) {
    const path = `grpc.reflection.${version}.${serviceName}`
    const ask = methodIn(reflectionProto(version), path)
    if (ask === undefined) continue
    const files = createDescribedFiles()
    const isKnown = await addFiles(channel, ask, files, { fileContainingSymbol: service })
    if (!isKnown) continue
    for (let count = 0; count < filesMax; count += 1) {
      const missing = readable(() => files.missing())
      if (missing === undefined) break
      await addFiles(channel, ask, files, { fileByFilename: missing })
    }
    const method = readable(() => files.method(name))
    if (method !== undefined) return method
    throw refusedByStatus(unimplemented, '')
  }
  throw new RunError(failure('status', 'the server does not describe its methods'))
}

/** Returns false if the server does not have this version of the service. */
async function addFiles(
  channel: GrpcChannel,
  ask: UnaryMethod,
  files: DescribedFiles,
  question: object,
): Promise<boolean> {
  const { status, text, bytes } = await channel.call(ask.path, ask.encode(question))
  if (status === unimplemented) return false
  if (status !== 0) throw refusedByStatus(status, text)
  const { fileDescriptorResponse, errorResponse } = readable(
    () => ask.decode(bytes) as ReflectionAnswer,
  )
  if (errorResponse !== undefined) {
    throw refusedByStatus(errorResponse.errorCode, errorResponse.errorMessage)
  }
  const found = fileDescriptorResponse?.fileDescriptorProto ?? []
  readable(() => found.map((base64) => files.add(Buffer.from(base64, 'base64'))))
  return true
}

/** Throws a RunError if what the server sent cannot be read. */
function readable<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof RunError) throw cause
    throw new RunError(notSpoken(grpcProtocol))
  }
}
