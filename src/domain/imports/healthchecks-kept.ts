// The addresses that a check of Healthchecks keeps, and what counts of the pings that come there.
import {
  isKeptAddress,
  type KeptRules,
  keptWordCharsMax,
  keptWordsMax,
} from '../monitors/kept-address.ts'
import { type ForeignFields, flagOf, type Note, textOf } from './foreign.ts'

/** What is known besides the check. */
export interface PingContext {
  readonly note: Note
  /** The ping key of its project; none: senders that name the slug are not known here. */
  readonly pingKey?: string | undefined
  /** Several checks of the project have its slug: nobody can report by it there, nor here. */
  readonly isSlugShared?: boolean
  /** It is not known here when its reports are due: nobody but people may resume it. */
  readonly isUnscheduled?: boolean
}

interface KeptFields {
  readonly keptAddresses?: readonly string[]
  readonly sharedAddresses?: readonly string[]
  readonly keptRules?: KeptRules
}

/** Addresses and rules, for the item of an import document. A key that only reads does not show the UUID. */
export function keptOf(check: ForeignFields, context: PingContext): KeptFields {
  const addresses = addressesOf(check, context)
  if (addresses.keptAddresses === undefined && addresses.sharedAddresses === undefined) return {}
  const isResumedByHand = flagOf(check.manual_resume) || context.isUnscheduled === true
  const keptRules = { ...rulesOf(check), ...(isResumedByHand ? { isResumedByHand } : {}) }
  const hasRules = Object.keys(keptRules).length > 0
  return { ...addresses, ...(hasRules ? { keptRules } : {}) }
}

function addressesOf(check: ForeignFields, context: PingContext): KeptFields {
  const { note, pingKey, isSlugShared = false } = context
  // The end of its address is the UUID too, where a client saved less than the API answers.
  const [, last = ''] = /\/([^/]{1,200})\/?$/.exec(textOf(check.ping_url)) ?? []
  const uuid = (textOf(check.uuid) || last).toLowerCase()
  const slug = textOf(check.slug)
  const byUuid = `/ping/${uuid}`
  const bySlug = `/ping/${pingKey ?? ''}/${slug}`
  const own = isKeptAddress(byUuid) ? [byUuid] : []
  const kept = own.length === 0 ? {} : { keptAddresses: own }
  if (pingKey === undefined || slug === '') return kept
  if (!isKeptAddress(bySlug)) {
    note(`its address by the slug "${slug}" cannot be kept: change its senders`)
    return kept
  }
  return isSlugShared ? { ...kept, sharedAddresses: [bySlug] } : { keptAddresses: [...own, bySlug] }
}

function rulesOf(check: ForeignFields): KeptRules {
  const methods = textOf(check.methods) === 'POST' ? { methods: 'POST' as const } : {}
  if (!flagOf(check.filter_http_body)) return methods
  return {
    ...methods,
    otherwise: flagOf(check.filter_default_fail) ? 'error' : 'ignore',
    ...wordsIn('failureWords', check.failure_kw),
    ...wordsIn('successWords', check.success_kw),
    ...wordsIn('startWords', check.start_kw),
  }
}

function wordsIn(name: 'failureWords' | 'successWords' | 'startWords', value: unknown): KeptRules {
  const words = textOf(value)
    .split(',')
    .map((word) => word.trim().slice(0, keptWordCharsMax))
    .filter((word) => word !== '')
    .slice(0, keptWordsMax)
  return words.length === 0 ? {} : { [name]: words }
}
