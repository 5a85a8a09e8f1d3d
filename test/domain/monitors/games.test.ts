// The games that can be watched: those of the library, but for what the head of game-list.ts leaves out.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { gameList } from '../../../src/domain/monitors/game-list.ts'
import {
  allGames,
  gameOf,
  gameOnceCalled,
  gameProtocols,
  gamesNear,
} from '../../../src/domain/monitors/games.ts'

interface LibraryGame {
  readonly name: string
  readonly options: {
    readonly protocol: string
    readonly port?: number
    readonly port_query?: number
    readonly port_query_offset?: number | readonly number[]
  }
  readonly extra?: { readonly old_id?: string }
}

const root = join(import.meta.dirname, '../../..')
const { games } = createRequire(import.meta.url)('gamedig') as {
  readonly games: Readonly<Record<string, LibraryGame>>
}
const isWritten = process.env.GOLDEN !== undefined

/** The library asks Minecraft by three protocols at once. */
const ownProtocols: Readonly<Record<string, string>> = {
  minecraft: 'minecraftvanilla',
  mbe: 'minecraftbedrock',
}
const usualPorts: Readonly<Record<string, number>> = { valve: 27_015 }

/** Why each protocol of the library is not offered. */
const leftOut = {
  'it asks other hosts':
    'altvmp asa beammp brokeprotocol discord factorio geneshift hawakening minetest ragemp renegadex renown scpsl ' +
    'squad theisleevrima vintagestory',
  'it speaks HTTP':
    'assettocorsa buildandshoot eco eldewrito farmingsimulator fivem hytale kspdmp palworld satisfactory terraria',
  'it opens connections of its own, or to another port': 'nadeo teamspeak2 teamspeak3',
  'its decoder could be kept from ending': 'battlefield mumble',
  'its answer cannot be told from noise': 'armagetron rfactor savage2 soldat',
}

const protocolOf = (id: string, { options }: LibraryGame) => ownProtocols[id] ?? options.protocol

function lineOf(id: string, { name, options, extra }: LibraryGame): string {
  const [offset = 0] = [options.port_query_offset ?? 0].flat()
  const behind = offset < 0 ? `${offset}` : `+${offset}`
  const asked =
    options.port_query ?? (options.port === undefined ? usualPorts[options.protocol] : behind)
  const ids = extra?.old_id === undefined ? id : `${id}=${extra.old_id}`
  return `${ids} ${options.port ?? 0} ${asked ?? 0} ${name}`
}

t.test('every game of the library is offered, unless its protocol is left out', (t) => {
  const reasons = Object.entries(leftOut).flatMap(([why, names]) =>
    names.split(' ').map((name) => [name, why] as const),
  )
  const without = new Map(reasons)
  const left = (id: string, game: LibraryGame) => without.has(protocolOf(id, game))
  const offered = Object.entries(games).filter(([id, game]) => !left(id, game))
  const byProtocol = Map.groupBy(offered, ([id, game]) => protocolOf(id, game))
  const expected = Object.fromEntries(
    [...byProtocol].sort().map(([protocol, all]) => {
      const lines = all.map(([id, game]) => `    ${lineOf(id, game)}`).sort()
      return [protocol, `\n${lines.join('\n')}`]
    }),
  )
  if (isWritten) {
    const file = join(root, 'src/domain/monitors/game-list.ts')
    const [head = ''] = readFileSync(file, 'utf8').split(/(?<= = \{\n)/)
    const rows = Object.entries(expected).map(([name, lines]) => `  ${name}: \`${lines}\`,\n`)
    writeFileSync(file, `${head}${rows.join('')}}\n`)
  } else t.same(gameList, expected)
  for (const [name, why] of reasons) t.notOk(gameProtocols.includes(name), `${name}: ${why}`)
  t.end()
})

t.test('a game is found by its id, by the one that it had, and by its protocol', (t) => {
  t.match(gameOf('counterstrike2'), { name: 'Counter-Strike 2', protocol: 'valve', port: 27_015 })
  t.equal(gameOf('cs2'), undefined)
  t.equal(gameOnceCalled('cs2')?.id, 'counterstrike2')
  t.match(gameOf('protocol-quake3'), { protocol: 'quake3', port: 0 })
  t.equal(gameOf('protocol-discord'), undefined)
  t.equal(gameOf('constructor'), undefined)
  t.end()
})

t.test('the port that is asked follows from that of players', (t) => {
  const asked = (id: string, port: number) => gameOf(id)?.portBeside(port)
  t.equal(gameOf('valheim')?.port, 2_457)
  t.equal(asked('valheim', 2_500), 2_501)
  t.equal(asked('armareforger', 2_001), 17_777)
  t.equal(asked('armareforger', 3_000), 3_000, 'where nobody knows, it is the same')
  t.equal(asked('minecraft', 25_565), 25_565)
  t.end()
})

t.test('who types a name gets the ids of games like it', (t) => {
  t.equal(gamesNear('cs2')[0], 'counterstrike2')
  t.equal(gamesNear('Minecraft')[0], 'minecraft')
  t.ok(gamesNear('Counter-Strike').includes('counterstrike16'))
  t.ok(gamesNear('bedrock').includes('mbe'))
  t.ok(gamesNear('valhiem').includes('valheim'))
  t.same(gamesNear('???'), [])
  t.same(gamesNear('x'.repeat(1_000)), [])
  t.ok(gamesNear('a').length <= 5)
  t.end()
})

t.test('the guide lists all of them', (t) => {
  const file = join(root, 'docs/kinds/game.md')
  const text = readFileSync(file, 'utf8')
  const rows = allGames().map(({ id, name, port }) => `| ${name} | \`${id}\` | ${port || ''} |\n`)
  const head = '| Game | `game` | Port |\n|---|---|---|\n'
  const table = `${head}${rows.join('')}`.replaceAll(' |  |', ' | |')
  const [before = ''] = text.split(head)
  if (isWritten) writeFileSync(file, `${before}${table}`)
  else t.ok(text.endsWith(table), 'GOLDEN=1 writes the list')
  t.end()
})
