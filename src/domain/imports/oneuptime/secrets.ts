// The secrets of OneUptime, {{monitorSecrets.NAME}}: a request with one becomes a check in one step, whose
// templates have secrets. No file has their values.
import { isSecretHeader } from '../../checks/header-rules.ts'
import { secretHostsMax } from '../../secrets/org-secret.ts'
import { placeholdersIn, templateProblem } from '../../steps/template.ts'
import {
  type ForeignFields,
  type ForeignMonitor,
  type ForeignSecret,
  fieldsOf,
  listOf,
  type Note,
  textOf,
} from '../foreign.ts'

export type SecretNames = ReturnType<typeof createSecretNames>

/** The names of secrets in our form, and the hosts of the requests that have them. */
export function createSecretNames() {
  const hosts = new Map<string, Set<string>>()
  return {
    /** The text with our placeholders in place of theirs; `host`: where it is sent. */
    namedIn(text: string, host: string): string {
      const written = writtenSecrets(text)
      for (const { kind, name } of placeholdersIn(written)) {
        if (kind === 'secret') hosts.set(name, (hosts.get(name) ?? new Set()).add(host))
      }
      return written
    },
    all(): readonly ForeignSecret[] {
      return [...hosts].map(([name, of]) => ({
        name,
        hosts: of.size > secretHostsMax ? [] : [...of],
      }))
    },
  }
}

/** The text with their secrets in our form. */
export function writtenSecrets(text: string): string {
  return text.replace(secretForm, (_, name: string) => {
    const plain = name
      .trim()
      .replace(/\W/g, '_')
      .replace(/^(?=\d)/, '_')
    return `{{secret.${plain.slice(0, secretNameCharsMax)}}}`
  })
}

const secretNameCharsMax = 64
const secretForm = /\{\{\s?monitorSecrets\.([^{}]{1,90}?)\s?\}\}/g
/** What its addresses may have besides: seconds since 1970, and random digits. */
const madeNames: Readonly<Record<string, string>> = { timestamp: '$timestamp', random: '$uuid' }

/** A monitor of HTTP with placeholders, as one in a step; any other as it is. */
export function withSecrets(
  monitor: ForeignMonitor,
  secrets: SecretNames,
  note: Note,
): ForeignMonitor {
  const url = textOf(monitor.url)
  const headers = fieldsOf(monitor.headers)
  const body = textOf(monitor.body)
  const sent = [url, ...Object.values(headers).map(textOf), body]
  const isTemplate = sent.some((text) => placeholderForm.test(text))
  if (!isTemplate) return monitor
  const words = sent.flatMap((text) => placeholderForm.exec(text)?.[0] ?? []).join(', ')
  // What a secret may lead to is not known.
  const host = URL.parse(url)?.hostname ?? ''
  const isFixed = /^[^{}%]+$/.test(host)
  const named = (text: string) => secrets.namedIn(text, host)
  const inUrl = (text: string) =>
    named(text).replace(
      /\{\{(timestamp|random)\}\}/g,
      (_, name: string) => `{{${madeNames[name]}}}`,
    )
  if (!isFixed || ![inUrl(url), ...sent.slice(1).map(named)].every(isKnown)) {
    note(`its placeholders (${words}): set the values, then resume the monitor`)
    return { ...monitor, isActive: false }
  }
  note(`its placeholders (${words}): it became a check in one step`)
  return inSteps(monitor, { url: inUrl(url), headers, body, named })
}

const placeholderForm = /\{\{[^{}]{1,100}\}\}/

/** Whether nothing is left that only they know. */
function isKnown(text: string): boolean {
  if (templateProblem(text) !== null) return false
  return placeholdersIn(text).every(({ kind }) => kind !== 'variable')
}

interface Templates {
  readonly url: string
  readonly headers: ForeignFields
  readonly body: string
  readonly named: (text: string) => string
}

function inSteps(
  monitor: ForeignMonitor,
  { url, headers, body, named }: Templates,
): ForeignMonitor {
  const { method, expectedStatus, acceptedStatuses, assertions, followRedirects, ...others } =
    monitor
  const { url: former, headers: _headers, body: _body, ...kept } = others
  const variables: Record<string, string> = {}
  const written = Object.entries(headers).map(([name, value]) => {
    const text = named(textOf(value))
    if (!isSecretHeader(name) || text.includes('{{')) return [name, text]
    // Steps are shown to everybody who edits the monitor.
    const variable = `header_${name.toLowerCase().replace(/\W/g, '_')}`.slice(0, 64)
    variables[variable] = text
    return [name, `{{${variable}}}`]
  })
  return {
    ...kept,
    checkType: 'steps',
    url: `${URL.parse(textOf(former))?.origin ?? ''}/`,
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
    steps: [
      {
        name: 'Request',
        method,
        url,
        headers: Object.fromEntries(written),
        ...(body === '' ? {} : { body: named(body) }),
        expectedStatus,
        acceptedStatuses,
        assertions: listOf(assertions),
        ...(followRedirects === undefined ? {} : { followRedirects }),
      },
    ],
  }
}
