// What status pages of other products have in common, as fields of ours and notes.
import { clip } from '../../base/clip.ts'
import { limits } from '../limits/limits.ts'
import { type ForeignFields, type Note, textOf } from './foreign.ts'
import { zoneOf } from './rails-zones.ts'

/** `links`: the label and the address of each; those without an address are no links. */
export function headLinksOf(
  links: readonly (readonly [label: string, url: unknown])[],
  note: Note,
): ForeignFields {
  const given = links.map(([label, url]) => ({
    label: clip(label, limits.pageHeadLinkLabelCharsMax),
    url: textOf(url),
  }))
  const headLinks = given.filter(({ url }) => {
    const isLink =
      /^(https?:|mailto:)/i.test(url) && URL.canParse(url) && url.length <= limits.urlCharsMax
    if (url !== '' && !isLink) note(`its link "${clip(url, 100)}" is no address`)
    return isLink
  })
  for (const { label } of headLinks.slice(limits.pageHeadLinksMax)) {
    note(`its link "${clip(label, 100)}": a page has ${limits.pageHeadLinksMax} links`)
  }
  return headLinks.length === 0 ? {} : { headLinks: headLinks.slice(0, limits.pageHeadLinksMax) }
}

/** `zone`: a name of IANA or of Rails. */
export function pageTimezoneOf(zone: string, note: Note): ForeignFields {
  if (zone === '') return {}
  const timezone = zoneOf(zone)
  if (timezone !== undefined) return { timezone }
  note(`its time zone "${clip(zone, 60)}": choose one on the page`)
  return {}
}

export function noteDomain(domain: string, note: Note): void {
  if (domain === '') return
  note(`its domain ${clip(domain, 100)}: add it to the page, and change its DNS record`)
}
