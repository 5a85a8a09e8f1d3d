// Damages data files at random, as disks and people do.
import { createDice, type Dice } from './fuzz.ts'

const pageBytes = 4_096

/** Each returns a changed copy. */
export const fileDamages: Readonly<Record<string, (file: Buffer, dice: Dice) => Buffer>> = {
  truncated: (file, dice) => file.subarray(0, 1 + dice.below(file.length - 1)),
  halved: (file) => file.subarray(0, file.length / 2),
  'a page of zeros': (file, dice) => filled(file, pageOf(file, dice), () => 0),
  'a page of noise': (file, dice) => filled(file, pageOf(file, dice), () => dice.below(256)),
  'noise in a meta page': (file, dice) => {
    const at = dice.below(2) * pageBytes + dice.below(168)
    const changed = Buffer.from(file)
    for (const [index, byte] of dice.bytes(1 + dice.below(16)).entries()) changed[at + index] = byte
    return changed
  },
  'a flipped bit': (file, dice) => flipped(file, dice.below(file.length), dice),
  'a flipped bit of a page header': (file, dice) =>
    flipped(file, pageOf(file, dice) + dice.below(24), dice),
  'a flipped bit of a meta page': (file, dice) =>
    flipped(file, dice.below(2) * pageBytes + dice.below(168), dice),
  'two pages swapped': (file, dice) => {
    const [a, b] = [pageOf(file, dice), pageOf(file, dice)]
    const changed = Buffer.from(file)
    file.copy(changed, a, b, b + pageBytes)
    file.copy(changed, b, a, a + pageBytes)
    return changed
  },
  'a page over another': (file, dice) => {
    const changed = Buffer.from(file)
    const from = pageOf(file, dice)
    file.copy(changed, pageOf(file, dice), from, from + pageBytes)
    return changed
  },
  'a hole in a page': (file, dice) => {
    const changed = Buffer.from(file)
    const at = dice.below(file.length)
    return changed.fill(0, at, at + 512)
  },
  text: (_file, dice) => Buffer.from('this is no database\n'.repeat(1 + dice.below(5_000))),
  'zeros alone': (file) => Buffer.alloc(file.length),
  'more at the end': (file, dice) => Buffer.concat([file, dice.bytes(dice.below(10_000))]),
}

function pageOf(file: Buffer, dice: Dice): number {
  return pageBytes * dice.below(file.length / pageBytes)
}

function filled(file: Buffer, at: number, byte: () => number): Buffer {
  const changed = Buffer.from(file)
  for (let index = at; index < at + pageBytes; index += 1) changed[index] = byte()
  return changed
}

function flipped(file: Buffer, at: number, dice: Dice): Buffer {
  const changed = Buffer.from(file)
  changed[at] = (changed[at] ?? 0) ^ (1 << dice.below(8))
  return changed
}

/** So many damaged files, every kind in turn. */
export function* damagedFiles(whole: Buffer, count: number): Generator<[string, Buffer]> {
  const dice = createDice()
  const kinds = Object.entries(fileDamages)
  for (let index = 0; index < count; index += 1) {
    const [name, damage] = kinds[index % kinds.length] ?? ['', (file: Buffer) => file]
    yield [`${index}: ${name}`, damage(whole, dice)]
  }
}
