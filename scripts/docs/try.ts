// Runs the commands of a document one block after the other in one shell, as somebody would who reads it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, cpSync, existsSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTriedHere, type ShellBlock } from './blocks.ts'
import type { DocsWorld } from './world.ts'

/** A block that failed, with the end of what it said. */
export interface FailedBlock {
  readonly block: ShellBlock
  readonly said: string
}

const saidCharsMax = 1_500

/** What a reader of any document has: the functions and the ids that "In a terminal" makes. */
function preamble({ url, known }: DocsWorld): string {
  const ids = ['ORG', 'MONITOR', 'SHOP', 'ROUTER', 'PAGE', 'KEY']
  return `A=${url}/api/v1
${ids.map((name) => `${name}=${known[name]}`).join('\n')}
call() { curl -sS -b stillup.cookies -c stillup.cookies -H 'content-type: application/json' "$@"; }
api() { curl -sS -H "x-api-key: $KEY" -H 'content-type: application/json' "$A/orgs/$ORG/$@"; }
printf '#HttpOnly_127.0.0.1\\tFALSE\\t/\\tFALSE\\t0\\tauth-token\\t${known.SESSION}\\n' > stillup.cookies
api "monitors/$MONITOR/report?month=2026-10" > report.json
PUSH=$(api monitors -d '{"name": "Of the documents", "checkType": "push"}' | sed -n 's/.*"pushUrl":"\\([^"]*\\)".*/\\1/p')
`
}

/** The first command that fails ends it, and tells the number of its block. */
const strict = `set -eo pipefail
shopt -s inherit_errexit
trap 'echo "$at" >&3' EXIT
`

/** What is only an example in a document becomes what is there. */
function prepared(code: string, cwd: string, { url, known }: DocsWorld): string {
  const places = [...code.matchAll(ofMachine)].map(([, path]) => `"${cwd}/${dirname(path ?? '')}"`)
  const commands = code
    .replaceAll('http://127.0.0.1:8080', url)
    .replaceAll('https://up.example.com', url)
    .replaceAll('https://up.example', url)
    .replaceAll('"yours"', `"${known.PASSWORD}"`)
    .replaceAll('TOKEN=…', `TOKEN=${known.TOKEN}`)
    .replaceAll('org_…', known.ORG ?? '')
    .replaceAll('usr_…', known.USER ?? '')
    .replaceAll('chn_…', known.CHANNEL ?? '')
    .replaceAll('mon_…', known.MONITOR ?? '')
    .replaceAll('sub_…', "$(api status-pages/$PAGE/subscribers | jq -r '.data[0].id')")
    .replaceAll('BASE64', '$(jq -r .data.publicKey report.json)')
    .replaceAll('20261123T030000Z', '$(ls "$STILLUP_DATA_DIR/backups" | grep Z | tail -1)')
    .replace(ofMachine, `${cwd}/$1`)
  return `mkdir -p ${['.', ...places].join(' ')}\n${commands}`
}

/** A path of the machine is one of the document's folder. */
const ofMachine = /(?<=[\s"'=])\/((?:etc|srv|mnt|backup|usr\/local|tmp)\/[\w./-]+)/g

/** Undefined if every block ends well. The first that fails ends the document. */
async function tryDocument(
  world: DocsWorld,
  blocks: readonly ShellBlock[],
  isOnline: boolean,
): Promise<FailedBlock | undefined> {
  const [first] = blocks
  if (!first) return undefined
  const cwd = join(world.folder, first.file.replaceAll(/\W+/g, '-'))
  if (!existsSync(cwd)) cpSync(world.files, cwd, { recursive: true })
  const parts = blocks.map((block, at) => {
    const code = prepared(block.code, cwd, world)
    const endless = block.way === 'endless' ? 'export ENDLESS=1\n' : ''
    return `at=${at}\n${endless}${code}\nunset ENDLESS`
  })
  const terminal = openSync(join(cwd, 'terminal'), 'w+')
  const shell = spawn(
    'bash',
    ['-c', `${strict}${isOnline ? preamble(world) : ''}${parts.join('\n')}`],
    {
      cwd,
      env: world.env,
      stdio: ['ignore', terminal, terminal, 'pipe'],
    },
  )
  let ending = ''
  shell.stdio[3]?.on('data', (chunk) => {
    ending += chunk
  })
  const [code] = await once(shell, 'close')
  closeSync(terminal)
  if (code === 0) return undefined
  const said = readFileSync(join(cwd, 'terminal'), 'utf8').slice(-saidCharsMax)
  return { block: blocks[Number.parseInt(ending, 10)] ?? first, said: `${said}\nexit code ${code}` }
}

/** Tries all documents, and then what needs a daemon that is stopped. Blocks with a mark are left out. */
export async function tryDocuments(
  world: DocsWorld,
  blocks: readonly ShellBlock[],
): Promise<readonly FailedBlock[]> {
  const tried = blocks.filter(isTriedHere)
  const documents = [...Map.groupBy(tried, ({ file }) => file).values()]
  const failed: FailedBlock[] = []
  async function tryAll(isOnline: boolean): Promise<void> {
    for (const all of documents) {
      const own = all.filter(({ way }) => (way !== 'stopped') === isOnline)
      const failure = await tryDocument(world, own, isOnline)
      if (failure) failed.push(failure)
    }
  }
  await tryAll(true)
  await world.stop()
  await tryAll(false)
  return failed
}
