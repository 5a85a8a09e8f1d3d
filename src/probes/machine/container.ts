// The check of a container, through the API that Docker and Podman have in common.
// https://docs.docker.com/reference/api/engine/version/v1.47/#tag/Container/operation/ContainerInspect
import { isRecord } from '../../base/schema/pick.ts'
import { type Json, parseJson } from '../../domain/assertions/json-value.ts'
import { failure } from '../../net/failure.ts'
import { hopTo } from '../../net/http-client/plan.ts'
import { bodyOf, request } from '../../net/http-client/request.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken } from '../run/driver-socket.ts'
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, type UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { badState, shownAnswer } from './found.ts'

export const container = defineKind({
  type: 'container',
  family: 'machine',
  fields: ['machine', 'tls'],
  sources: [],
  textName: 'answer',
  schemes: ['container'],
  icon: 'container',
  example: 'container://local/web',
  urlForm:
    '`container://local/web`, a container by its name or id at the engine, Docker or Podman, that the operator of the ' +
    'daemon or the probe lists under the name before it (`checks.containers`). It is down unless it runs and its health ' +
    'check, if it has one, has not failed. The answer is JSON with `value` (`healthy`, `unhealthy` or `starting` where ' +
    'there is a health check, else the state), `state`, `health`, `restarts`, `exitCode`, `image` and `startedAt`',
  finds: 'json',
  typed: { isNamedByPath: true },
  parse: parseContainerUrl,
  machine: ({ engine }) => ({
    what: 'a container of this machine',
    settings: 'checks.containers',
    isListed: ({ containers }) => Object.hasOwn(containers, engine),
  }),
  open: ({ guard }) => ({
    async look({ engine, name }, _target, run) {
      const address = guard.machine().containers[engine] ?? ''
      const socketPath = address.startsWith('/') ? address : undefined
      const origin = socketPath === undefined ? address : `http://${engine}`
      // Without a version: each engine answers with its newest, and refuses old ones.
      const url = new URL(`/containers/${encodeURIComponent(name)}/json`, origin)
      const hop = hopTo(url, { method: 'GET', headers, body: null })
      run.own = hop
      const response = await request(run, hop, { wantsBody: true, socketPath })
      const { status } = response
      if (status === 404) throw badState('there is no such container')
      if (status !== 200)
        throw new RunError(failure('status', `expected status 200, found ${status}`))
      return judged(run, parseJson((await bodyOf(response)).toString()))
    },
  }),
})

const headers = ['user-agent', 'stillup', 'accept', 'application/json']

interface ContainerUrl {
  readonly engine: string
  /** Or an id. */
  readonly name: string
  readonly problem?: never
}

function parseContainerUrl(text: string): ContainerUrl | UrlFault {
  const url = parsePlaceUrl(text, ['container'])
  if (url.problem !== undefined) return url
  const { host, port, path, query } = url
  const [, name] = /^\/([a-zA-Z0-9][\w.-]{0,254})$/.exec(path) ?? []
  if (name === undefined || port !== null || query !== '') {
    return { problem: 'must name an engine and a container, such as container://local/web' }
  }
  return { engine: host, name }
}

/** The states of containers that are not running, in Docker and Podman. */
const states: ReadonlySet<string> = new Set(
  'created configured initialized paused restarting removing exited dead stopped stopping'.split(
    ' ',
  ),
)

function judged(run: ProbeRun, document: Json | undefined): TargetAnswer {
  const found = fieldsOf(document)
  const [state, config] = [fieldsOf(found.State), fieldsOf(found.Config)]
  const status = state.Status
  if (typeof status !== 'string') throw new RunError(notSpoken('the protocol of Docker'))
  // Docker says none, Podman nothing, where there is no health check.
  const said = fieldsOf(state.Health ?? state.Healthcheck).Status
  const health = typeof said === 'string' && said !== '' && said !== 'none' ? said : null
  const value = status === 'running' ? (health ?? status) : status
  const answer = shownAnswer(run, {
    ...{ value, state: status, health },
    restarts: found.RestartCount ?? null,
    exitCode: state.ExitCode ?? null,
    isOutOfMemory: state.OOMKilled ?? null,
    image: config.Image ?? null,
    startedAt: state.StartedAt ?? null,
    finishedAt: status === 'running' ? null : (state.FinishedAt ?? null),
  })
  switch (value) {
    case 'running':
    case 'healthy':
      return answer
    case 'starting':
      return { ...answer, degradedBy: 'the health check of the container has not succeeded yet' }
    case 'unhealthy':
      throw badState('the health check of the container fails')
    default:
      throw badState('the container is not running', states.has(value) ? value : '')
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}
