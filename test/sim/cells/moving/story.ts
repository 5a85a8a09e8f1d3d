// A story from a seed: organizations are moved between cells while writes come, and machines, directory and network fail.
import { required } from '../../../../src/base/assert.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { SimTime } from '../../fleet/sim-clock.ts'
import { moveOf, sender, takeover } from '../figures.ts'
import { type Cell, createCell, lead, type Range, replaceUnnoticed, write } from './cell.ts'
import { createDirectory } from './directory.ts'
import { createOracle } from './oracle.ts'
import { sizeOf } from './sizes.ts'
import {
  type Answer,
  directoryName,
  every,
  linkOf,
  type PlantedFault,
  type Row,
  send,
  type World,
} from './world.ts'

/** In a story backups come so often that cells are lost before and after them; one is late where a leader failed. */
const backupEveryMs = 85_000
const backupAgeMsMax = backupEveryMs + takeover.leaseMs + takeover.startMs + 10_000
/** How long a person takes to give a cell up, and until one of its machines is back with old data. */
const givenUpMs = 60_000
const returnsMs = 40_000
/** At the end nothing fails any more. */
const calmMs = 240_000
const largestMonitors = 5_000
const hopsMax = 6
const client = 'client'

export interface StoryOptions {
  readonly seed: number
  readonly minutes: number
  readonly cells?: number
  readonly organizations?: number
  /** Whether machines, directory and network fail. */
  readonly isCalm?: boolean
  readonly fault?: PlantedFault
}

export interface StoryReport {
  readonly moves: number
  readonly moved: number
  readonly aborted: number
  readonly failures: number
  readonly lostCells: number
  /** Writes that were acknowledged, and those of them that went with a lost cell. */
  readonly acks: number
  readonly lostWrites: number
  readonly refused: number
  readonly frozenMs: readonly number[]
  /** The longest that a sender could store nothing, and the longest in which nothing was broken. */
  readonly longestMs: number
  readonly longestCalmMs: number
  readonly problems: readonly string[]
}

export function tellStory(options: StoryOptions): StoryReport {
  const random = seededRandom(options.seed)
  const time = new SimTime(0)
  const oracle = createOracle(time, backupAgeMsMax)
  const organizations = options.organizations ?? 16
  const sizes = new Map<string, number>()
  const world: World = {
    time,
    random,
    oracle,
    fault: options.fault,
    monitorsOf: (org) => sizes.get(org) ?? 1,
    cuts: new Set(),
    // Senders speak TCP: an answer is lost with its connection, which is rare.
    lossOf: (from, to) => {
      if (options.isCalm || isOver()) return 0
      return from === client || to === client ? 0.002 : 0.01
    },
    counts: { moves: 0, moved: 0, aborted: 0, acks: 0, refused: 0 },
    frozenMs: [],
  }
  const endsMs = options.minutes * 60_000
  const isOver = () => time.elapsedMs >= endsMs
  const directory = createDirectory(world)
  const cells = new Map<string, Cell>()
  const backedUpAt = new Map<string, number>()
  const cell = (name: string) => required(cells.get(name), name)
  const pick = <One>(some: readonly One[]): One =>
    required(some[Math.floor(random() * some.length)])
  for (let at = 0; at < (options.cells ?? 5); at += 1) {
    cells.set(`c${at}`, createCell(world, directory, `c${at}`, cell))
    backedUpAt.set(`c${at}`, -random() * backupEveryMs)
  }
  const standing = () => [...cells.values()].filter(({ isLost }) => !isLost)
  const backups = new Map<string, { epoch: number; rows: Row[] }[]>()
  let [failures, lostCells] = [0, 0]

  for (let at = 0; at < organizations; at += 1) {
    const org = `o${at}`
    sizes.set(org, Math.min(largestMonitors, Math.floor((1 - random()) ** (-1 / 0.5))))
    const first = pick([...cells.keys()])
    directory.create(org, first)
    cell(first).ranges.set(org, {
      mark: { as: 'owner', epoch: 1 },
      rows: [],
      kept: null,
      offAtMs: 0,
    })
  }
  const router = directory.watchedBy('router')
  for (const [org, entry] of directory.entries) {
    startSender(org, 'p', entry.cell)
    startSender(org, 'a', null)
  }

  /** Sends one write after the other, each until it is stored: to the cell of its URL, or through the router. */
  function startSender(org: string, name: string, url: string | null): void {
    const { monitors, readingsPerS, bytes } = sizeOf(world.monitorsOf(org))
    const { frozenMs } = moveOf(monitors, readingsPerS, bytes)
    let number = 0
    const next = () => {
      number += 1
      attempt(`${name}${number}`, time.elapsedMs)
    }
    const attempt = (key: string, askedAtMs: number) => {
      let isAnswered = false
      const answered = (answer: Answer) => {
        if (isAnswered) return
        isAnswered = true
        if (answer === 'stored') {
          world.counts.acks += 1
          oracle.acknowledged(org, key, askedAtMs, frozenMs)
          time.at(time.elapsedMs + 500 + random() * 3_000, next)
          return
        }
        world.counts.refused += 1
        time.at(time.elapsedMs + sender.retryMs, () => attempt(key, askedAtMs))
      }
      const isUrlDead = url !== null && cell(url).isLost && !cell(url).leader
      const first = url === null || isUrlDead ? required(router.get(org)).cell : url
      send(world, [client, first], () => request(first, org, key, answered, 0))
      time.at(time.elapsedMs + sender.answerMs, () => answered('later'))
    }
    time.at(random() * 3_000, next)
  }

  function request(
    name: string,
    org: string,
    key: string,
    answered: (answer: Answer) => void,
    hops: number,
  ): void {
    const at = cell(name)
    const leader = at.stale && random() < 0.5 ? at.stale : at.leader
    if (!leader) return
    write(world, at, leader, org, key, (answer) => {
      if (typeof answer === 'string' || hops >= hopsMax) {
        send(world, [name, client], () => answered(answer))
        return
      }
      const { elsewhere } = answer
      send(world, [name, elsewhere], () => request(elsewhere, org, key, answered, hops + 1))
    })
  }

  /** Something is broken for a while. */
  function breakFor(ms: number, repair: () => void): void {
    const outage = oracle.broken()
    failures += 1
    time.at(time.elapsedMs + ms, () => {
      outage.toMs = time.elapsedMs
      repair()
    })
  }

  function failCell(failing: Cell): void {
    if (!failing.leader || failing.isLost) return
    if (random() < 0.4) replaceUnnoticed(failing)
    failing.leader = null
    const { stale } = failing
    breakFor(takeover.leaseMs + takeover.startMs, () => {
      if (!failing.isLost) lead(failing)
      time.at(time.elapsedMs + 20_000, () => {
        if (failing.stale === stale) failing.stale = null
      })
    })
  }

  function failDirectory(): void {
    if (!directory.isUp()) return
    directory.setUp(false)
    breakFor(takeover.leaseMs + takeover.startMs, () => directory.setUp(true))
  }

  function failLink(): void {
    const ends = [...cells.keys(), directoryName]
    const [one, other] = [pick(ends), pick(ends)]
    const link = linkOf(one, other)
    if (one === other || world.cuts.has(link)) return
    world.cuts.add(link)
    breakFor(5_000 + random() * 30_000, () => world.cuts.delete(link))
  }

  /** Both machines and the log of a cell are lost. */
  function loseCell(losing: Cell): void {
    if (losing.isLost || standing().length < 4) return
    losing.isLost = true
    lostCells += 1
    const lastLeader = losing.leader
    losing.leader = null
    losing.stale = null
    const outage = oracle.broken()
    const lostAtMs = time.elapsedMs
    for (const [org, entry] of directory.entries)
      if (entry.cell === losing.name) oracle.lost(org, lostAtMs)
    // One of its machines comes back later, does not reach the directory yet, and knows nothing of what happened.
    const link = linkOf(losing.name, directoryName)
    world.cuts.add(link)
    time.at(lostAtMs + givenUpMs + returnsMs, () => {
      losing.leader = lastLeader
      breakFor(30_000, () => world.cuts.delete(link))
    })
    const giveUp = () => {
      if (!directory.isUp()) {
        time.at(time.elapsedMs + 1_000, giveUp)
        return
      }
      losing.isSealed = world.fault !== 'lost cell not sealed'
      let left = 0
      for (const [org, entry] of directory.entries) {
        if (entry.cell === losing.name && !restore(org, losing)) left += 1
      }
      if (left > 0) time.at(time.elapsedMs + 1_000, giveUp)
      else outage.toMs = time.elapsedMs
    }
    time.at(lostAtMs + givenUpMs, giveUp)
  }

  /** Gives what a lost cell had to another one, with the newest that there is of it. */
  function restore(org: string, from: Cell): boolean {
    const entry = required(directory.entries.get(org))
    const taking = entry.move && cell(entry.move.target)
    const taken = taking?.ranges.get(org)
    if (taking && !taking.isLost && taken?.mark.as === 'incoming' && taken.mark.isWhole)
      return false
    const copies = [...(backups.get(org) ?? [])]
    const begun: Range[] = []
    for (const other of standing()) {
      const range = other.ranges.get(org)
      if (range?.kept) copies.push({ epoch: range.kept.epoch, rows: [...range.kept.rows] })
      if (range?.mark.as === 'incoming') begun.push(range)
    }
    let newest: readonly Row[] = copies.reduce(
      (best, copy) =>
        copy.epoch > best.epoch ||
        (copy.epoch === best.epoch && copy.rows.length > best.rows.length)
          ? copy
          : best,
      { epoch: 0, rows: [] as readonly Row[] },
    ).rows
    // A copy that was begun may be newer than every backup, or have nothing yet.
    for (const { rows } of begun) if (rows.length > newest.length) newest = rows
    const able = standing().filter(({ leader, name }) => leader && name !== from.name)
    if (able.length === 0) return false
    const to = pick(able)
    const range: Range = {
      mark: {
        as: 'incoming',
        epoch: entry.epoch,
        move: 0,
        revision: entry.revision,
        isWhole: true,
      },
      rows: [...newest],
      kept: to.ranges.get(org)?.kept ?? null,
      offAtMs: 0,
    }
    to.ranges.set(org, range)
    directory.reassign(org, to.name)
    return true
  }

  /** A backup of a cell has what it owns; what others kept of that is deleted. */
  function backUp(one: Cell): void {
    const nowMs = time.elapsedMs
    if (one.isLost || !one.leader || nowMs < (backedUpAt.get(one.name) ?? 0) + backupEveryMs) return
    backedUpAt.set(one.name, nowMs)
    for (const [org, { mark, rows }] of one.ranges) {
      if (mark.as !== 'owner' && mark.as !== 'off') continue
      const copies = backups.get(org) ?? []
      copies.push({ epoch: mark.epoch, rows: [...rows] })
      backups.set(org, copies.slice(-4))
      for (const other of standing()) {
        const range = other.ranges.get(org)
        if (range?.kept && range.kept.epoch <= mark.epoch) range.kept = null
      }
    }
  }

  for (const one of cells.values()) every(world, 5_000, () => backUp(one))
  every(world, 6_000, () => {
    if (!isOver()) directory.beginMove(pick([...sizes.keys()]), pick(standing()).name)
  })
  if (!options.isCalm) {
    every(world, 40_000, () => {
      if (isOver()) return
      const dice = random()
      if (dice < 0.55) failCell(pick(standing()))
      else if (dice < 0.75) failDirectory()
      else failLink()
    })
    if (random() < 0.4) time.at(endsMs * (0.4 + random() / 2), () => loseCell(pick(standing())))
  }

  const allMs = endsMs + calmMs
  // With a planted fault, the first problem says enough.
  const isFound = () => options.fault !== undefined && oracle.problems.length > 0
  while (time.nextMs() <= allMs && !isFound()) time.moveTo(time.nextMs())

  let lostWrites = 0
  for (const [org, entry] of directory.entries) {
    const range = cell(entry.cell).ranges.get(org)
    if (entry.move) oracle.problems.push(`the move of ${org} never ended`)
    if (range?.mark.as !== 'owner' || range.mark.epoch !== entry.epoch) {
      oracle.problems.push(`${entry.cell} should own ${org}, and does not`)
    }
    lostWrites += oracle.compare(org, range?.rows.map(({ key }) => key) ?? [])
  }
  return {
    ...world.counts,
    failures,
    lostCells,
    lostWrites,
    frozenMs: world.frozenMs,
    longestMs: oracle.longestMs(),
    longestCalmMs: oracle.longestCalmMs(),
    problems: oracle.problems,
  }
}
