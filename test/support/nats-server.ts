// The program nats-server: built once for all checkouts of a user, with Go, from its module proxy.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const version = '2.15.2'
const folder = join(homedir(), '.cache/stillup-test', `nats-server-${version}`)
const natsServer = join(folder, 'nats-server')
const path = [process.env.PATH, '/usr/local/go/bin'].join(delimiter)
/** It takes half a minute on two cores that have nothing else to do. */
const buildMsMax = 580_000

/** Whoever comes second waits for the first, and finds it built. Throws if it cannot be built. */
export function buildNatsServer(): string {
  if (existsSync(natsServer)) return natsServer
  mkdirSync(folder, { recursive: true })
  const build = `test -x nats-server ||
    { GOBIN="$PWD/building" go install github.com/nats-io/nats-server/v2@v${version} &&
      mv building/nats-server nats-server; }`
  execFileSync('flock', ['lock', 'sh', '-c', build], {
    cwd: folder,
    env: { ...process.env, PATH: path, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: buildMsMax,
  })
  return natsServer
}

/** Why tests with NATS are skipped: without Go there is no server. In CI there must be one. */
export function skipWithoutNats(): string | false {
  if (existsSync(natsServer) || process.env.CI === 'true') return false
  const { error } = spawnSync('go', ['version'], { env: { ...process.env, PATH: path } })
  return error ? 'not installed: go, which builds nats-server' : false
}
