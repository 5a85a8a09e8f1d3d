// The gRPC probe against a server of grpc-go; skipped where it cannot be built.
import http2 from 'node:http2'
import net from 'node:net'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { Assertion } from '../../../src/domain/assertions/expectation.ts'
import { completedInput, inputProblems } from '../../../src/domain/monitors/monitor-input.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { grpc } from '../../../src/probes/rpc/grpc.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithoutGrpc, startGrpcServer } from '../../support/servers/grpc.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = grpc.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const look = (fields: TargetFields) =>
  probe(makeTarget({ checkType: 'grpc', timeoutMs: 8_000, ...fields }), {
    clock,
    keepsAnswer: true,
  })
const found = async (fields: TargetFields) => {
  const reading = await look(fields)
  return reading.error?.message ?? reading.found
}
const why = async (fields: TargetFields) => (await look(fields)).error
const expecting = (path: string, type: Assertion['type'], value: string) => ({
  expect: { assertions: [{ source: 'json', path, type, value }] } as const,
})

/** A method of grpc-go that has maps of types, times and texts in its answer. */
const method = 'grpc.channelz.v1.Channelz/GetServers'
const channelzProto = `syntax = "proto3";
package grpc.channelz.v1;
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
message GetServersRequest { int64 start_server_id = 1; optional int64 max_results = 2; }
message GetServersResponse { repeated Server server = 1; bool end = 2; }
message Server { Ref ref = 1; Data data = 2; }
message Ref { int64 server_id = 5; string name = 6; }
message Data { int64 calls_started = 2; google.protobuf.Timestamp last_call_started_timestamp = 5; }
service Channelz { rpc GetServers(GetServersRequest) returns (GetServersResponse); }`

t.test('a gRPC server', { skip: skipWithoutGrpc() }, async (t) => {
  const port = await startGrpcServer(t)
  const url = `grpc://localhost:${port}`

  await t.test('says how it is', async (t) => {
    t.same(await found({ url }), { value: 'SERVING' })
    t.same(await found({ url: `${url}?service=shop` }), { value: 'SERVING' })
    t.match(await why({ url: `${url}?service=stock` }), {
      kind: 'status',
      message: 'the server is not ready yet (NOT_SERVING)',
    })
    t.match(await why({ url: `${url}?service=ship` }), {
      message: /does not have what was asked for \(NOT_FOUND\): unknown service/,
    })
  })

  await t.test('answers a call, with the types that it describes itself', async (t) => {
    const called = { url: `${url}/${method}`, body: '{"maxResults": 3}' }
    t.match(await found(called), {
      value: { server: [{ ref: { name: '' }, data: { callsStarted: /^\d+$/ } }], end: true },
    })
    const one = {
      ...called,
      ...expecting('$.value.server[0].data.callsStarted', 'greaterThan', '0'),
    }
    t.equal((await look(one)).result, 'good')
    const none = { ...called, ...expecting('$.value.end', 'equals', 'false') }
    t.match(await why(none), { kind: 'assertion', message: /expected .*\$\.value\.end/ })
    t.match(await found({ url: `${url}/${method}` }), { value: { end: true } }, 'without a message')
    t.match(await why({ ...called, body: '{"most": 3}' }), {
      kind: 'blocked',
      message: /the message does not have the type that the method takes: .*most/,
    })
    t.match(await why({ url: `${url}/shop.v1.Orders/Get` }), { message: /\(NOT_FOUND\)/ })
    t.match(await why({ url: `${url}/grpc.channelz.v1.Channelz/Get` }), {
      message: /\(UNIMPLEMENTED\)/,
    })
    t.match(await why({ url: `${url}/grpc.health.v1.Health/Watch` }), { message: /streams/ })
    t.match(await why({ ...called, url: `${url}/grpc.channelz.v1.Channelz/GetServer` }), {
      message: /does not have the type/,
    })
    t.match(
      await why({ url: `${url}/grpc.channelz.v1.Channelz/GetServer`, body: '{"serverId":9}' }),
      {
        message: /does not have what was asked for \(NOT_FOUND\): requested server 9 not found/,
      },
    )
  })

  await t.test('or that a .proto file has', async (t) => {
    const body = `${channelzProto}\n---\n{"maxResults": "2"}`
    t.match(await found({ url: `${url}/${method}`, body }), {
      value: { server: [{ data: { lastCallStartedTimestamp: /^20\d\d-/ } }], end: true },
    })
    t.match(await found({ url: `${url}/${method}`, body: channelzProto }), { value: { end: true } })
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port,
      target: (port) => ({ checkType: 'grpc', url: `grpc://localhost:${port}/${method}` }),
    }),
  )
})

t.test('a gRPC server with TLS and a token', { skip: skipWithoutGrpc() }, async (t) => {
  const port = await startGrpcServer(t, {
    tls: true,
    token: 'Bearer s3cret-t0ken',
    reflection: 'alpha',
  })
  const url = `grpcs://localhost:${port}`
  const headers = { Authorization: 'Bearer s3cret-t0ken' }
  t.same(await found({ url, headers }), { value: 'SERVING' })
  t.match(await look({ url, headers }), { certificate: { issuer: /Stillup/ } })
  t.match(await found({ url: `${url}/${method}`, headers }), { value: { end: true } }, 'v1alpha')
  t.match(await why({ url }), {
    kind: 'status',
    message: 'the server refused the sign-in (UNAUTHENTICATED): no such token: ünknown',
  })
  t.match(await why({ url: `grpcs://elsewhere.test:${port}`, headers }), { kind: 'tls' })
  t.match(await why({ url: `grpc://localhost:${port}`, headers }), {
    kind: /reset|invalid_response/,
  })
})

t.test('a gRPC server that has less', { skip: skipWithoutGrpc() }, async (t) => {
  const port = await startGrpcServer(t, { reflection: 'none', health: false })
  const url = `grpc://localhost:${port}`
  t.match(await why({ url }), {
    message: /^the server does not have what was asked for \(UNIMPLEMENTED\): unknown service/,
  })
  t.match(await why({ url: `${url}/${method}` }), {
    message: 'the server does not describe its methods',
  })
  const body = `${channelzProto}\n---\n{}`
  t.match(await found({ url: `${url}/${method}`, body }), { value: { end: true } })
  t.match(await why({ url: `${url}/a.B/C`, body }), {
    kind: 'blocked',
    message: 'the body must have before the line --- the method that the URL names',
  })
})

t.test('what is no gRPC server', async (t) => {
  const listening = async (server: net.Server): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => server.close())
    return `grpc://localhost:${(server.address() as net.AddressInfo).port}`
  }
  const talker = net.createServer((socket) =>
    socket.on('error', () => {}).end('220 mail ready\r\n'),
  )
  t.match(await why({ url: await listening(talker) }), { kind: /invalid_response|reset/ })
  const answering = (headers: http2.OutgoingHttpHeaders, body: string | Buffer = '') =>
    listening(
      http2.createServer().on('stream', (stream) => {
        stream.respond(headers)
        stream.end(body)
      }),
    )
  const page = await answering({ ':status': 200, 'content-type': 'text/html' }, '<p>Hello')
  t.match(await why({ url: page }), { message: 'the server does not speak gRPC' })
  const proxy = await answering({ ':status': 502, 'content-type': 'text/html' }, '<p>Bad')
  t.match(await why({ url: proxy }), { message: 'the server is not ready yet (HTTP 502)' })
  const type = { ':status': 200, 'content-type': 'application/grpc' }
  t.match(await why({ url: await answering(type) }), { kind: 'reset' }, 'without a status')
  const odd = await answering({ ...type, 'grpc-status': '77', 'grpc-message': '%zz' })
  t.match(await why({ url: odd }), { message: 'the server answered with an error (77): %zz' })
  const short = await answering({ ...type, 'grpc-status': '0' }, Buffer.from([0, 0, 0, 0, 9, 1]))
  t.match(await why({ url: short }), { message: 'the server does not speak gRPC' })
  const huge = await answering(type, Buffer.alloc(1_100_000))
  t.match(await why({ url: huge }), { kind: 'body_too_large' })
})

t.test('a monitor is judged when it is made', async (t) => {
  const problems = (fields: object) =>
    inputProblems(completedInput({ name: 'A', checkType: 'grpc', ...fields }), grpc).map(
      ({ pointer, message }) => `${pointer} ${message}`,
    )
  const url = 'grpcs://api.example.com/shop.v1.Orders/Get'
  t.same(problems({ url, body: '{"id": 7}', headers: { 'x-tenant': 'a' } }), [])
  const called = `grpcs://api.example.com/${method}`
  t.same(problems({ url: called, body: `${channelzProto}\n---\n{}` }), [])
  t.match(problems({ url, body: `${channelzProto}\n---\n{}` }), [
    '/body must have before the line --- the method that the URL names',
  ])
  t.match(problems({ url, body: '{id: 7}' }), ['/body must be a message in JSON'])
  t.match(problems({ url, body: 'message {' }), ['/body must have before the line ---'])
  const foreign = 'syntax = "proto3"; import "other.proto"; message A { B b = 1; }\n---\n{}'
  t.match(problems({ url, body: foreign }), ['/body must have before the line ---'])
  t.match(problems({ url: 'grpc://api.example.com', body: '{}' }), ['/body is sent to a method'])
  const problem = (url: string) => {
    const parsed = grpc
      .open({
        guard: createGuard({ targets: 'any' }),
        resolver: resolverTo('127.0.0.1'),
        clock,
      })
      .destination(url)
    return 'problem' in parsed ? parsed.problem : null
  }
  t.equal(problem('grpc://h:1/a.B/C'), null)
  t.match(problem('grpc://h:1/a.B'), /^must end after a method/)
  t.match(problem('grpc://h:1/a.B/C?service=d'), /^must not have a query/)
  t.match(problem('grpc://h:1?deep=1'), /no query parameters other than service/)
})
