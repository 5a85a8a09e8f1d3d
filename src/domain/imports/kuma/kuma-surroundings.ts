// What surrounds the monitors of Uptime Kuma and is the operator's here, or made anew: it is named.
import { type createNotes, type ForeignFields, flagOf, numberOf, textOf } from '../foreign.ts'
import { originOf } from './kuma-columns.ts'
import type { KumaLists } from './kuma-rows.ts'

type Notes = ReturnType<typeof createNotes>

export function noteSurroundings(lists: KumaLists, notes: Notes): void {
  for (const row of lists.dockerHostList) {
    const place = withoutLogin(textOf(row.docker_daemon))
    const how = `its ${textOf(row.docker_type)} ${place}: the operator lists it with checks.containers`
    noteOf(notes, 'docker_host', row, textOf(row.name))(how)
  }
  for (const row of lists.remoteBrowserList) {
    const how = `its browser at ${withoutLogin(textOf(row.url))}: the operator lists one with checks.browsers`
    noteOf(notes, 'remote_browser', row, textOf(row.name))(how)
  }
  const note = notes.of(null)
  if (lists.apiKeyList.length > 0) {
    const names = lists.apiKeyList.map(
      ({ name, active }) => `${textOf(name)}${flagOf(active) ? '' : ' (off)'}`,
    )
    note(`its API keys ${names.join(', ')}: make new ones`)
  }
  const people = lists.userList.filter(({ active }) => flagOf(active))
  // The only one is who runs the import.
  if (people.length > 1) {
    note(`its users ${people.map(({ username }) => textOf(username)).join(', ')}: invite them`)
  }
  noteSettings(lists.settings, note)
}

/** Kuma keeps days and hours so long, unless it is told otherwise. */
const usualKeepDays = 180

function noteSettings(settings: ForeignFields, note: (text: string) => void): void {
  const { serverTimezone, keepDataPeriodDays, primaryBaseURL } = settings
  if (textOf(serverTimezone) !== '') {
    note(`its time zone ${textOf(serverTimezone)}: set it in the settings of the organization`)
  }
  const days = numberOf(keepDataPeriodDays) ?? usualKeepDays
  if (days !== usualKeepDays) {
    note(
      `that it keeps history for ${days} days: single results are kept for 30 days, and days for years`,
    )
  }
  if (textOf(primaryBaseURL) !== '') {
    note(
      `its address ${withoutLogin(textOf(primaryBaseURL))}: senders reach this daemon once the name leads to it`,
    )
  }
}

/** A proxy, as the operator lists it; its user and password are not named. */
export function noteProxy(row: ForeignFields, notes: Notes): void {
  const { protocol, host, port, auth, active } = row
  const login = flagOf(auth) ? ', with its user and password' : ''
  const off = active === undefined || flagOf(active) ? '' : ' (switched off)'
  const place = `${textOf(protocol)}://${textOf(host)}:${textOf(port)}`
  const note = noteOf(notes, 'proxy', row, `${textOf(host)}:${textOf(port)}`)
  note(
    `proxy${off}: the operator lists it with checks.proxies as ${place}${login}; monitors name it as proxy`,
  )
  if (flagOf(row.default)) note('that new monitors use it')
}

function noteOf(notes: Notes, kind: string, row: ForeignFields, name: string) {
  return notes.of(name === '' ? kind : name, originOf(kind, row).origin)
}

/** A URL without what may be secret: user, password and query. */
function withoutLogin(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '')
}
