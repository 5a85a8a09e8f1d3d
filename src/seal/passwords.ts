// Passwords: argon2id off the event loop, a few at a time, stored as PHC strings.
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { Fault } from '../base/fault.ts'
import { createGate } from '../base/gate.ts'

export interface PasswordCost {
  readonly memoryKiB: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's Password Storage Cheat Sheet and ASVS 5.0 appendix C: one pass over 46 MiB. */
export const passwordCost: PasswordCost = { memoryKiB: 47_104, passes: 1, parallelism: 1 }

interface Phc extends PasswordCost {
  readonly salt: Buffer
  readonly tag: Buffer
}

const saltBytes = 16
const tagBytes = 32
const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

export type Passwords = ReturnType<typeof createPasswords>

/**
 * Passwords that are hashed at the same time: each takes 46 MiB, and a thread that the disk needs
 * as well.
 */
const passwordHashesMax = 2

/** `atOnce`: how many are hashed at the same time; each needs the memory of its cost. */
export function createPasswords(
  cost: PasswordCost = passwordCost,
  atOnce: number = passwordHashesMax,
) {
  const queue = createQueue(atOnce)
  // A hash that no password has: a dummy for users who do not exist.
  const dummyHash: Phc = { ...cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) }

  return {
    /** Returns a PHC string. Throws Fault('unavailable') if too many calls wait. */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(saltBytes)
      const tag = await queue(() => argon2id(password, { ...cost, salt, tag: dummyHash.tag }))
      return formatPhc({ ...cost, salt, tag })
    },

    /**
     * Compares with a stored PHC string. Null means "no such user" and takes the same time as a
     * wrong password. `isStale`: it is right, but its hash uses outdated parameters: hash it again.
     * Throws Fault('unavailable') if too many calls wait.
     */
    async verify(password: string, stored: string | null) {
      const known = stored === null ? undefined : parsePhc(stored)
      const phc = known ?? dummyHash
      const tag = await queue(() => argon2id(password, phc))
      const isRight = known !== undefined && timingSafeEqual(tag, phc.tag)
      return { isRight, isStale: isRight && !isSameCost(phc, cost) }
    },
  }
}

function argon2id(password: string, phc: Phc): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    message: password,
    nonce: phc.salt,
    memory: phc.memoryKiB,
    passes: phc.passes,
    parallelism: phc.parallelism,
    tagLength: phc.tag.length,
  }
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
  })
}

/** Base64 without padding, as the PHC string format requires. */
function formatPhc({ memoryKiB, passes, parallelism, salt, tag }: Phc): string {
  const bare = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const parameters = `m=${memoryKiB},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${parameters}$${bare(salt)}$${bare(tag)}`
}

function parsePhc(text: string): Phc | undefined {
  const [, memory, passes, parallelism, salt, tag] = phcPattern.exec(text) ?? []
  if (salt === undefined || tag === undefined) return undefined
  return {
    memoryKiB: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function isSameCost(a: PasswordCost, b: PasswordCost): boolean {
  return a.memoryKiB === b.memoryKiB && a.passes === b.passes && a.parallelism === b.parallelism
}

const passwordHashesQueuedMax = 50
const passwordRetryAfterSeconds = 5

/** Runs calls in order, a few at once; throws Fault('unavailable') when the queue is full. */
function createQueue(atOnce: number) {
  const gate = createGate({ total: atOnce, perKey: atOnce })
  const key = 'argon2id'

  return async function inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (gate.load().waiting >= passwordHashesQueuedMax) throw tooBusy()
    await gate.enter(key, 0)
    try {
      return await run()
    } finally {
      gate.leave(key)
    }
  }
}

function tooBusy(): Fault {
  return new Fault('unavailable', 'Too many sign-ins at once.', {
    headers: [['Retry-After', String(passwordRetryAfterSeconds)]],
  })
}
