// A URL as it may be told: where it leads, without what opens a door.
import { secretMask as mask } from '../domain/secret-mask.ts'
import { isSecretPair, isToken } from './sent-secrets.ts'

/**
 * The URL without a user, a fragment, and values that have telling names or look like tokens. Also
 * of a relative one, and of a text that is none.
 */
export function shownUrl(text: string): string {
  const [bare = ''] = text.split('#')
  const [, origin = '', path = '', query = ''] =
    /^([^/?]*\/\/[^/?]*)?([^?]*)(.*)$/s.exec(bare) ?? []
  return originShown(origin) + pathShown(path) + queryShown(query)
}

function originShown(origin: string): string {
  const userEnd = origin.lastIndexOf('@')
  const userStart = origin.indexOf('//') + 2
  return userEnd < userStart ? origin : origin.slice(0, userStart) + mask + origin.slice(userEnd)
}

function pathShown(path: string): string {
  const parts = path.split('/').map((part) => (isToken(part) ? mask : part))
  return parts.join('/').replace(/(?<![^/;=])([^/;=]+)=([^/;]*)/g, masked)
}

function queryShown(query: string): string {
  return query
    .replace(/(?<![^?&;=])([^?&;=]*)=([^&;]*)/g, masked)
    .replace(/[^?&;=]+(?=[&;]|$)/g, bareShown)
}

function masked(pair: string, name: string): string {
  const [[named = '', value = ''] = []] = new URLSearchParams(pair)
  // A URL in a URL, of where to go on.
  const isNested = value
    .split(/[?&;#]/)
    .some((inner) => [...new URLSearchParams(inner)].some((said) => isSecretPair(...said)))
  return isNested || isSecretPair(named, value) ? `${name}=${mask}` : pair
}

/** A value without a name, or one that was looked at above. */
function bareShown(value: string): string {
  return isToken(value) ? mask : value
}
