// The operator's own names, /etc/hosts, and how a file is seen to have changed.
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

export type Hosts = ReadonlyMap<string, readonly string[]>

/** The addresses of each name, in lower case; what was known before where it cannot be read. */
export function readHosts(path: string, before: Hosts = new Map()): Hosts {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return before
  }
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      hosts.set(key, [...(hosts.get(key) ?? []), address])
    }
  }
  return hosts
}

/**
 * Each call looks whether a file is another one than before, and has it taken up. One that is gone
 * is no news: it is about to be put in place. What throws is tried again at the next look.
 */
export function followFile(path: string, takeUp: () => void): () => void {
  let stamp = stampOf(path)
  return () => {
    const now = stampOf(path)
    if (now === undefined || now === stamp) return
    try {
      takeUp()
      stamp = now
    } catch {
      // There may be no file descriptor to spare just now.
    }
  }
}

function stampOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return undefined
  }
}
