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
    return { name: '', isEnabled: true, ...shown, ...more, allowsSubscribers: true, sections: [] }
  }
  const { name, slug, title, description, logoUrl, publicMonitorIds, sections, theme } = stored
  const { showMonitors, showUptime, showHistory, showResponseTimes, showIncidents } = stored
  const { showMonitoredBy, noindex, allowsSubscribers, isListed, isDefault } = stored
  const { language, timezone } = stored
  return {
    name,
    slug,
    title: title === name ? '' : title,
    description,
    logoUrl,
    publicMonitorIds,
    sections,
    theme,
    showMonitors,
    showUptime,
    showHistory,
    showResponseTimes,
    showIncidents,
    showMonitoredBy,
    noindex,
    allowsSubscribers,
    isListed,
    isDefault,
    language,
    timezone,
  }
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
