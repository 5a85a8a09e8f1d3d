// A status page as its form holds it, and as the API takes it.
import type { Body, Data } from '../../api/client.ts'

export type StoredPage = Data<'status-pages.get'>
export type PageBody = Body<'status-pages.create'>
export type Section = NonNullable<PageBody['sections']>[number]

/** What the form begins with. */
export function beginning(stored: StoredPage | undefined): PageBody {
  if (!stored) {
    const shown = { showMonitors: true, showUptime: true, showHistory: true }
    const more = { showResponseTimes: true, showIncidents: true, showMonitoredBy: true }
    return {
      name: '',
      isEnabled: true,
      ...shown,
      ...more,
      allowsSubscribers: true,
      sections: [],
      layout: 'rows',
      look: 'plain',
    }
  }
  // What only answers have, and what is set elsewhere.
  const { id, orgId, url, subdomain, subdomainUrl, subscribers, hasPassword, ...more } = stored
  const { pictures, createdAt, updatedAt, revision, isEnabled, ...fields } = more
  const { name, title } = fields
  return { ...fields, title: title === name ? '' : title }
}

/** Fields that were emptied are named as such, else a change would keep what is stored. */
export function bodyOf(form: PageBody): PageBody {
  const { publicMonitorIds = null, sections, theme, language = null, timezone = null } = form
  const inSections = (sections ?? []).flatMap(({ monitorIds }) => monitorIds)
  return {
    ...form,
    language,
    timezone,
    theme: { accent: theme?.accent ?? null, mode: theme?.mode ?? 'auto' },
    publicMonitorIds: publicMonitorIds && [...new Set([...publicMonitorIds, ...inSections])],
  }
}
