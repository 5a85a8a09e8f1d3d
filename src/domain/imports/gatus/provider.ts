// What a provider of alerts of Gatus becomes.
import type { ForeignFields, Note } from '../foreign.ts'

/** A channel that is to be made. */
interface MadeChannel {
  readonly type: string
  readonly config: Readonly<Record<string, unknown>>
  /** Tells it from the others that the same settings become. */
  readonly part?: string
}

/** What an alert says that no message of ours has: it becomes part of the channel. */
export interface AlertWords {
  readonly description: string
  readonly group: string
}

export interface AlertProvider {
  /** The settings without which Gatus ignores the provider. */
  readonly needs: readonly string[]
  /** The other settings that have an equivalent. */
  readonly takes?: readonly string[]
  /** Throws a ProviderRefused if the settings cannot be a channel. */
  readonly make: (config: ForeignFields, words: AlertWords, note: Note) => readonly MadeChannel[]
  /** The words of an alert that its channel has; those with other words need a channel of their own. */
  readonly saysOf?: (config: ForeignFields, words: AlertWords) => AlertWords
  /** A message to it is about one outage, and is one of those that Gatus sends. */
  readonly isRequest?: true
  /** Gatus reads no overrides by group. */
  readonly hasNoGroups?: true
  /** Why the channel is made, and is switched off. */
  readonly offBecause?: string
  /** What is said otherwise than there. */
  readonly differs?: string
}

/** Why settings become no channel, as the end of a note. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
}
