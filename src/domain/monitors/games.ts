// The games whose servers can be watched: by their ids, and by what people call them.
import { nearest } from '../nearest.ts'
import { gameList } from './game-list.ts'

export interface Game {
  /** By the library that asks their servers, gamedig. */
  readonly id: string
  readonly name: string
  readonly protocol: string
  /** The port that is asked; 0: it has no usual one. */
  readonly port: number
  /** The port that is asked of a server whose players connect to the one that is given. */
  readonly portBeside: (playersPort: number) => number
}

/** The protocols in which they are asked. */
export const gameProtocols: readonly string[] = Object.keys(gameList)

const known = lazily(read)

function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Reads the list, which only somebody needs who has such monitors. */
function read() {
  const games = new Map<string, Game>()
  const formerly = new Map<string, Game>()
  for (const [protocol, lines] of Object.entries(gameList)) {
    for (const line of lines.trim().split('\n')) {
      const [ids = '', players = '', asked = '', ...name] = line.trim().split(' ')
      const [id = '', formerId] = ids.split('=')
      const game = { id, protocol, name: name.join(' '), ...portsOf(Number(players), asked) }
      games.set(id, game)
      if (formerId !== undefined) formerly.set(formerId, game)
    }
  }
  return { games, formerly }
}

function portsOf(players: number, asked: string): Pick<Game, 'port' | 'portBeside'> {
  const number = Number(asked)
  if (!/^[+-]/.test(asked)) {
    return { port: number, portBeside: (port) => (port === players ? number : port) }
  }
  return { port: players + number, portBeside: (port) => port + number }
}

/** Sorted by name. */
export function allGames(): readonly Game[] {
  const inOrder = ({ name, id }: Game) => `${name.toLowerCase()} ${id}`
  return [...known().games.values()].sort((a, b) => (inOrder(a) < inOrder(b) ? -1 : 1))
}

export function gameOf(id: string): Game | undefined {
  return known().games.get(id) ?? anyOf(id)
}

/** Any game that speaks a protocol: `protocol-quake3`. Those of Steam have a usual port. */
function anyOf(id: string): Game | undefined {
  const protocol = gameProtocols.find((one) => id === `protocol-${one}`)
  if (protocol === undefined) return undefined
  const port = id === steamGame.id ? steamGame.port : 0
  return { id, protocol, name: protocol, port, portBeside: (playersPort) => playersPort }
}

/** Any game of Steam. */
export const steamGame = { id: 'protocol-valve', port: 27_015 } as const

/** The same, also by the id that it had in gamedig 4. */
export function gameOnceCalled(id: string): Game | undefined {
  return gameOf(id) ?? known().formerly.get(id)
}

const nearMax = 5

/** The ids of games that somebody may mean by such a text, the likeliest first. */
export function gamesNear(text: string): readonly string[] {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const meant = plain(text.slice(0, 100))
  if (meant === '') return []
  const former = gameOnceCalled(text.trim().toLowerCase())?.id
  const holding = allGames()
    .filter(({ id, name }) => `${id} ${plain(name)}`.includes(meant))
    .sort((a, b) => a.name.length - b.name.length)
    .map(({ id }) => id)
  const near = nearest(
    text,
    allGames().map(({ id }) => id),
  )
  const found = [former, ...holding, near].filter((id) => id !== undefined)
  return [...new Set(found)].slice(0, nearMax)
}
