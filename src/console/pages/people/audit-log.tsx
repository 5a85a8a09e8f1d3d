// Who did what in the organization, newest first.
import { ask, type Item } from '../../api/client.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { More, usePages } from '../../parts/list/more.tsx'
import { Time } from '../../parts/text/time.tsx'
import { orgId } from '../../stores/session.ts'
import { changeText } from '../../words/direction.ts'
import { language, words } from '../../words/words.ts'

type Entry = Item<'audit-log.list'>

export function AuditLog() {
  const { people: texts, audit } = words.value
  const path = { orgId: orgId() }
  const pages = usePages<'audit-log.list'>(
    ({ from, call }) => ask('audit-log.list', { path, query: { limit: 50, ...from }, ...call }),
    [],
  )
  return (
    <div class="page-part">
      <LogTable
        of={pages.entries}
        heads={[audit.when, audit.who, audit.what, words.value.monitor.outcome, audit.address]}
      >
        {(entry) => (
          <tr key={entry.id}>
            <td>
              <Time at={entry.at} form="local" />
            </td>
            <td>{actorText(entry.actor)}</td>
            <td>
              <What entry={entry} />
            </td>
            <td>{entry.outcome !== 'done' && texts.outcomes[entry.outcome]}</td>
            <td class="faint">{entry.address}</td>
          </tr>
        )}
      </LogTable>
      <div class="actions">
        <More pages={pages} />
        <a class="button" href={`/api/v1/orgs/${orgId()}/audit-log/export?format=csv`} download>
          {texts.exportCsv}
        </a>
      </div>
    </div>
  )
}

function actorText({ kind, name, email }: Entry['actor']): string {
  const { actors, key, channel } = words.value.audit
  if (name !== null && kind === 'key') return key({ name })
  if (name !== null && kind === 'channel') return channel({ name })
  const known: Readonly<Record<string, string>> = actors
  return name ?? email ?? known[kind] ?? kind
}

type ActionText = string | ((given: { readonly name: string }) => string)

/** Stands for the name, which is a link. */
const subjectPlace = '\u0000'

/** The sentence of an action, with what it is about. */
function What({ entry }: { readonly entry: Entry }) {
  const { action, fields, detail } = entry
  const { actions, changed } = words.value.audit
  const texts: Readonly<Record<Entry['action'], ActionText>> = actions
  // An entry of another version may have an action that this one does not know.
  const text: ActionText = Object.hasOwn(texts, action) ? texts[action] : action
  const isAbout = typeof text === 'function'
  const [before, after] = isAbout ? text({ name: subjectPlace }).split(subjectPlace) : [text]
  const given = rolesIn(action, detail)
  return (
    <>
      {before}
      {isAbout && <Subject entry={entry} />}
      {after}
      {given !== '' && ` (${given})`}
      {fields.length > 0 && (
        <span class="faint" lang="en">
          {' '}
          {changed({ fields: fields.map(spaced).join(', ') })}
        </span>
      )}
    </>
  )
}

function Subject({ entry: { objectId, objectName } }: { readonly entry: Entry }) {
  if (objectId === null) return null
  if (objectName === null) {
    return (
      <span class="faint" title={objectId}>
        {words.value.audit.gone}
      </span>
    )
  }
  const href = placeOf(objectId)
  return href === undefined ? <strong>{objectName}</strong> : <a href={href}>{objectName}</a>
}

/** Where the console shows the object of an id; undefined if it has no page. */
function placeOf(id: string): string | undefined {
  switch (id.split('_')[0]) {
    case 'mon':
      return `/app/monitors/${id}`
    case 'chn':
      return `/app/channels/${id}`
    case 'pag':
      return `/app/pages/${id}`
    case 'inc':
      return `/app/incidents/${id}`
    case 'sct':
      return '/app/people?tab=secrets'
    case 'mnt':
      return '/app/maintenance'
    default:
      return undefined
  }
}

/** The roles in an entry: of actions on people and keys the log keeps them, as "viewer to admin". */
function rolesIn(action: string, detail: string | null): string {
  if (!/^(?:member|invite|key)\./.test(action)) return ''
  const { roles } = words.value.common
  const texts: Readonly<Record<string, string>> = roles
  return changeText(
    language.value,
    (detail ?? '').split(' ').flatMap((word) => texts[word] ?? []),
  )
}

/** failureThreshold becomes failure threshold: the names of the API. */
const spaced = (field: string) => field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
