// Programs that tests use and Go builds: once for all checkouts of a user.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const path = [process.env.PATH, '/usr/local/go/bin'].join(delimiter)
/** It takes half a minute on two cores that have nothing else to do. */
const buildMsMax = 580_000

export interface GoProgram {
  readonly name: string
  readonly version: string
  /** Commands of the shell that leave the program in the folder `building`. */
  readonly build: string
  /** Texts by the names of their files, which the commands need. */
  readonly sources?: Readonly<Record<string, string>>
}

/** A program of our own from `main.go` in that folder. */
export function builtFrom(name: string, folder: string): GoProgram {
  const files = ['main.go', 'go.mod', 'go.sum']
  const sources = Object.fromEntries(
    files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )
  const version = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 12)
  return { name, version, build: `mkdir -p building && go build -o building/${name} .`, sources }
}

const placeOf = ({ name, version }: GoProgram) => {
  const folder = join(homedir(), `.cache/stillup-test/${name}-${version}`)
  return { folder, program: join(folder, name) }
}

/** Whoever comes second waits for the first, and finds it built. Throws if it cannot be built. */
export function builtWithGo(wanted: GoProgram): string {
  const { folder, program } = placeOf(wanted)
  const { name, build, sources = {} } = wanted
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(sources)) writeFileSync(join(folder, file), text)
  const once = `test -x ${name} || { ${build} && mv building/${name} ${name}; }`
  execFileSync('flock', ['lock', 'sh', '-c', once], {
    cwd: folder,
    env: { ...process.env, PATH: path, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: buildMsMax,
  })
  return program
}

/** Why its tests are skipped: without Go there is no program. In CI there must be one. */
export function skipWithoutGo(wanted: GoProgram): string | false {
  if (existsSync(placeOf(wanted).program) || process.env.CI === 'true') return false
  const { error } = spawnSync('go', ['version'], { env: { ...process.env, PATH: path } })
  return error ? `not installed: go, which builds ${wanted.name}` : false
}
