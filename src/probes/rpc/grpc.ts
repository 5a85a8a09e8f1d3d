// The check of a gRPC server: asks its health service, or calls a method.
// https://github.com/grpc/grpc/blob/master/doc/health-checking.md
import type { FieldProblem } from '../../base/fault.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import type { MonitorInput } from '../../domain/monitors/monitor-fields.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken, type RefusalKind, refusedBy } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { signedIn, signInsOf } from '../run/sign-in.ts'
import {
  type GrpcChannel,
  grpcChannel,
  grpcProtocol,
  refusedByStatus,
  unauthenticated,
} from './grpc-channel.ts'
import { describedMethod } from './grpc-reflection.ts'
import { messageProblem, methodIn, partsOf, type UnaryMethod } from './proto-types.ts'

const usualPort = 50_051
const usualPortOfTls = 443

export const grpc = defineKind({
  type: 'grpc',
  fields: ['connection', 'stream', 'handshake', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes: ['grpc', 'grpcs'],
  icon: 'waypoints',
  family: 'web',
  example: 'grpc://api.example.com:50051',
  urlForm:
    '`grpc://host[:port]` (50051) or `grpcs://host[:port]` with TLS (443). It asks the health service, about ' +
    'one `?service=name` if that is given: SERVING is good. With a path, `/package.Service/Method`, it calls ' +
    'that method, which must not stream: `body` is the message in JSON, absent an empty one. The types come ' +
    'from the reflection of the server, else from a `.proto` file that stands in `body` before a line `---` ' +
    'and the message. `headers` are sent as metadata. The answer is JSON with its `value`: the status of the ' +
    'service, or the message that the method returned',
  finds: 'json',
  ownsQuery: true,
  message: {
    is: 'message',
    example: '{"id": 7}',
    sentOf: (body) => partsOf(body).json,
  },
  bodyProblem: messageProblem,
  problems: methodProblems,
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse: parseGrpcUrl,
  destination: (url) => url,
  open: (deps) => ({
    look: (url, target, run) =>
      signedIn(run, target, {
        signIns: signInsOf(deps),
        isRefused: ({ failure }) => failure.message.includes(unauthenticated),
        look: (signed) => lookAt(url, signed, run),
      }),
  }),
})

async function lookAt(url: GrpcUrl, target: EndpointTarget, run: ProbeRun): Promise<TargetAnswer> {
  const { host, port, isTls } = url
  const isUsualPort = port === usualPort
  const handshake = { alpn: ['h2'] }
  const { socket } = await run.connect({ host, port, isTls }, { isUsualPort, handshake })
  const channel = grpcChannel(run, socket, { ...url, target })
  try {
    if (url.method === undefined) return await askHealth(channel, url.service)
    const { proto, json } = partsOf(target.body ?? '')
    const method =
      proto === undefined
        ? await describedMethod(channel, url.method)
        : required(methodIn(proto, url.method))
    return answerOf({ value: await call(channel, method, json) })
  } finally {
    channel.close()
  }
}

interface GrpcUrl {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** `package.Service/Method`. Undefined: it asks the health service. */
  readonly method: string | undefined
  /** The service whose health it asks for; '': that of the whole server. */
  readonly service: string
  readonly problem?: never
}

function parseGrpcUrl(text: string): GrpcUrl | UrlFault {
  const url = parsePlaceUrl(text, ['grpc', 'grpcs'])
  if (url.problem !== undefined) return url
  const [, method] = /^\/?(?:(?<=\/)([\w.]+\/\w+))?$/.exec(url.path) ?? ['', '']
  if (method === '') return { problem: 'must end after a method, such as /shop.v1.Orders/Get' }
  if (method !== undefined && url.query !== '') return { problem: 'must not have a query' }
  const options = readOptions(url.query, { service: null })
  if ('problem' in options) return options as UrlFault
  const { service = '' } = options
  const { host, scheme } = url
  const isTls = scheme === 'grpcs'
  return { host, port: url.port ?? (isTls ? usualPortOfTls : usualPort), isTls, method, service }
}

/** The health service has no message of one's own; a .proto file must have the method. */
function methodProblems({ url, body }: MonitorInput): readonly FieldProblem[] {
  const parsed = parseGrpcUrl(url ?? '')
  if (body === null || parsed.problem !== undefined) return []
  if (parsed.method === undefined) {
    const message = 'is sent to a method, which the URL does not name'
    return [{ pointer: '/body', keyword: 'forbidden', message }]
  }
  const { proto } = partsOf(body)
  if (proto === undefined || hasMethod(proto, parsed.method)) return []
  return [{ pointer: '/body', keyword: 'format', message: methodRule }]
}

const methodRule = 'must have before the line --- the method that the URL names'

/** True also for a file that cannot be read, which another rule says. */
function hasMethod(proto: string, name: string): boolean {
  try {
    return methodIn(proto, name) !== undefined
  } catch {
    return true
  }
}

/** The service as its document has it. */
const healthProto = `syntax = "proto3";
package grpc.health.v1;
message HealthCheckRequest { string service = 1; }
message HealthCheckResponse {
  enum ServingStatus { UNKNOWN = 0; SERVING = 1; NOT_SERVING = 2; SERVICE_UNKNOWN = 3; }
  ServingStatus status = 1;
}
service Health { rpc Check(HealthCheckRequest) returns (HealthCheckResponse); }`

const statusMeanings: Readonly<Record<string, RefusalKind>> = {
  NOT_SERVING: 'notReady',
  SERVICE_UNKNOWN: 'missing',
}

async function askHealth(channel: GrpcChannel, service: string): Promise<TargetAnswer> {
  const check = required(methodIn(healthProto, 'grpc.health.v1.Health/Check'))
  const { status } = (await call(channel, check, JSON.stringify({ service }))) as {
    readonly status: unknown
  }
  if (status === 'SERVING') return answerOf({ value: status })
  // A number is a status that the document does not name.
  const name = typeof status === 'string' ? status : 'UNKNOWN'
  throw refusedBy(statusMeanings[name] ?? 'error', name, '')
}

async function call(channel: GrpcChannel, method: UnaryMethod, json: string): Promise<unknown> {
  const request = encoded(method, json)
  const { status, text, bytes } = await channel.call(method.path, request)
  if (status !== 0) throw refusedByStatus(status, text)
  try {
    return method.decode(bytes)
  } catch (cause) {
    throw cause instanceof RunError ? cause : new RunError(notSpoken(grpcProtocol))
  }
}

function encoded(method: UnaryMethod, json: string): Uint8Array {
  try {
    return method.encode(JSON.parse(json))
  } catch (cause) {
    const found = failure('blocked', 'the message does not have the type that the method takes')
    throw new RunError({ ...found, detail: cause instanceof Error ? cause.message : '' })
  }
}

/** The method, which a .proto file must have. */
function required(method: UnaryMethod | undefined): UnaryMethod {
  if (method === undefined) throw new RunError(failure('blocked', `the body ${methodRule}`))
  return method
}
