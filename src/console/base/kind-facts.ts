// What the declaration of a kind of check says to the console: scripts/console/kinds.ts collects it.

import type { IconNode } from 'lucide'

export interface KindFacts {
  readonly icon: IconNode
  readonly family: 'web' | 'network' | 'data' | 'queues' | 'machine' | 'more'
  /** The schemes of its URLs; the first is written for an address that has another one. */
  readonly schemes: readonly string[]
  /** A URL for people who type one. */
  readonly example: string
  /** The schemes, and the ports without one, that mean this kind when they are typed. */
  readonly typedSchemes: readonly string[]
  readonly typedPorts: readonly number[]
  /** What its URL keeps of an address with another scheme. */
  readonly keeps: 'all' | 'port' | 'host'
  /** A name that is made from an address is the last part of its path, not the host. */
  readonly isNamedByPath: boolean
  /** The schemes of servers that it checks by their port, each with the usual one. */
  readonly servers: Readonly<Record<string, number>>
  /** What its body is, and one for people who write one; null: a body of HTTP, or none. */
  readonly message: {
    readonly is: 'query' | 'command' | 'message'
    readonly example: string
  } | null
  /** It has a user name and a password. */
  readonly signsIn: boolean
  /** It checks whether words are in the answer. */
  readonly needsWords: boolean
  /** What assertions can examine of its answers. */
  readonly sources: readonly string[]
  /** It waits for the reports of a job, and looks at nothing. */
  readonly waitsForReports: boolean
  /** It looks at a target. */
  readonly isChecked: boolean
  /** Its state follows from other monitors. */
  readonly hasMembers: boolean
}

export interface KnownKinds {
  /** The kind of a monitor that names none. */
  readonly usual: string
  readonly kinds: Readonly<Record<string, KindFacts>>
  /** What is true of a kind that this console does not know: the daemon may be newer. */
  readonly unknown: KindFacts
}
