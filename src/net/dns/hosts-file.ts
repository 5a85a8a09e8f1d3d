// Reads /etc/hosts, the operator's own names, and detects changed files.
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
 * Each call of the result passes on the text of the file if it changed since the previous call; the
 * first one always does. A missing file is ignored, because it is about to be replaced. If reading
 * or `onText` fails, the next call tries again.
 */
export function followFile(path: string, onText: (text: string) => void): () => void {
  let stamp: string | undefined
  return () => {
    const now = stampOf(path)
    if (now === undefined || now === stamp) return
    try {
      // Read here even if `onText` reads the file itself, because c-ares hides failures.
      onText(readFileSync(path, 'utf8'))
      stamp = now
    } catch {
      // There may be no free file descriptor at the moment.
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
