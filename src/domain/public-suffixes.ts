// The list of public suffixes, by which the registered domain of a name is found. It takes a megabyte, so
// it is loaded with the first name that somebody asks about.
import type Library from 'tldts'
import { requireLibrary } from '../base/assets.ts'

type PublicSuffixes = Pick<typeof Library, 'getDomain' | 'getPublicSuffix' | 'parse'>

/** `require` knows no types. */
export function publicSuffixes(): PublicSuffixes {
  return requireLibrary('tldts') as PublicSuffixes
}

/** The registered domain of a host, as the list has it with its private part; else the host itself. */
export function registeredDomain(host: string): string {
  return publicSuffixes().getDomain(host, { allowPrivateDomains: true }) ?? host
}
