// The operator's own names, /etc/hosts, and how a file is seen to have changed.
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

export type Hosts = ReadonlyMap<string, readonly string[]>

/** The addresses of each name, in lower case. */
export function hostsIn(text: string): Hosts {
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
 * Each call looks whether a file is another one than at the call before, as it is at the first, and
 * has its text taken up. One that is gone is no news: it is about to be put in place. What cannot
 * be read, or throws, is tried again at the next look.
 */
export function followFile(path: string, takeUp: (text: string) => void): () => void {
  let stamp: string | undefined
  return () => {
    const now = stampOf(path)
    if (now === undefined || now === stamp) return
    try {
      // Whoever takes it up may read the file by other means, and would not say that it could not.
      takeUp(readFileSync(path, 'utf8'))
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
