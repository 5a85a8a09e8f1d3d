// Collections of Postman, version 2.0 and 2.1, as requests: in the order of their folders, with what their scripts check.
//
// Source: https://schema.postman.com/collection/json/v2.1.0/collection.json
import { clip } from '../../../base/clip.ts'
import {
  type ForeignFields,
  ForeignFileRefused,
  fieldsOf,
  flagOf,
  listOf,
  textOf,
} from '../../imports/foreign.ts'
import { limits } from '../../limits/limits.ts'
import { madeNames } from '../template.ts'
import type { Draft } from './draft.ts'
import { formBody, urlEncoded } from './form-data.ts'
import type { FoundRequest } from './made-steps.ts'
import { checksIn } from './postman-scripts.ts'

export function isPostman(document: ForeignFields): boolean {
  const { info, item, requests } = collectionIn(document)
  return (Array.isArray(item) && fieldsOf(info).name !== undefined) || Array.isArray(requests)
}

/** The API of Postman wraps collections. */
function collectionIn(document: ForeignFields): ForeignFields {
  return document.collection === undefined ? document : fieldsOf(document.collection)
}

export function fromPostman(
  document: ForeignFields,
  draft: Draft,
): { readonly name: string; readonly requests: readonly FoundRequest[] } {
  const collection = collectionIn(document)
  if (!Array.isArray(collection.item)) {
    throw new ForeignFileRefused('is a Postman collection of version 1: export it as version 2.1')
  }
  const frame = { draft, ours: (text: string) => ourNames(text, draft) }
  giveVariables(collection.variable, frame)
  const requests = requestsIn(collection, { ...frame, folders: [], auth: undefined })
  return { name: textOf(fieldsOf(collection.info).name), requests }
}

interface PostmanFrame {
  readonly draft: Draft
  /** A text with our names in its placeholders. */
  readonly ours: (text: string) => string
}

interface FolderFrame extends PostmanFrame {
  readonly folders: readonly string[]
  /** How requests sign in that do not say it themselves. */
  readonly auth: unknown
}

/** What Postman makes for each request, by its name there. */
const madeAs: Readonly<Record<string, (typeof madeNames)[number]>> = {
  ...Object.fromEntries(madeNames.map((name) => [name, name])),
  guid: 'uuid',
  randomUUID: 'uuid',
}

function ourNames(text: string, draft: Draft): string {
  return text.replace(/\{\{([^{}]{1,100})\}\}/g, (_, inner: string) => {
    const name = inner.trim()
    const plain = name.slice(1)
    if (name.startsWith('$') && Object.hasOwn(madeAs, plain)) return `{{$${madeAs[plain]}}}`
    return `{{${draft.nameFor(name)}}}`
  })
}

/** Variables may name each other. */
const nestingMax = 5

function giveVariables(given: unknown, { draft }: PostmanFrame): void {
  const values = new Map<string, string>()
  for (const one of listOf(given).map(fieldsOf)) {
    const key = textOf(one.key ?? one.id)
    if (key !== '' && !flagOf(one.disabled)) values.set(key, valueText(one.value))
  }
  for (const [key, value] of values) {
    let whole = value
    for (let depth = 0; depth < nestingMax && whole.includes('{{'); depth += 1) {
      whole = whole
        .replace(/\{\{([^{}]{1,100})\}\}/g, (said, name: string) => values.get(name.trim()) ?? said)
        .slice(0, limits.urlCharsMax * 4)
    }
    draft.give(key, whole)
  }
}

/** As Postman writes values of any type into texts. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

function requestsIn(folder: ForeignFields, frame: FolderFrame): readonly FoundRequest[] {
  const auth = isSaid(folder.auth) ? folder.auth : frame.auth
  const inner = { ...frame, auth }
  const scripts = folder.item === undefined ? '' : scriptOf(folder, 'test')
  if (scripts !== '') frame.draft.note('scripts of folders and of the collection are left out')
  return listOf(folder.item)
    .map(fieldsOf)
    .flatMap((item) => {
      const name = textOf(item.name)
      if (item.request !== undefined) return [requestOf(item, name, inner)]
      return requestsIn(item, { ...inner, folders: [...frame.folders, name] })
    })
}

function isSaid(auth: unknown): boolean {
  return auth !== undefined && auth !== null
}

function requestOf(item: ForeignFields, itemName: string, frame: FolderFrame): FoundRequest {
  const { draft, ours, folders } = frame
  const said = typeof item.request === 'string' ? { url: item.request } : item.request
  const request = fieldsOf(said)
  const headers = pairsOf(request.header).map(([name, value]): [string, string] => [
    name,
    ours(value),
  ])
  const { body, contentType } = bodyOf(fieldsOf(request.body), frame)
  const hasType = headers.some(([name]) => /^content-type$/i.test(name))
  if (contentType !== undefined && !hasType) headers.push(['Content-Type', contentType])
  const signIn = signInOf(isSaid(request.auth) ? request.auth : frame.auth, frame)
  const name = [...folders, itemName].filter((part) => part !== '').join(' / ')
  const shown = clip(name, limits.quotedCharsMax)
  if (scriptOf(item, 'prerequest') !== '') {
    draft.note(`the script before "${shown}" is left out`)
  }
  const script = scriptOf(item, 'test')
  const { isWhole, ...checks } = checksIn(script, draft)
  if (!isWhole) draft.note(`the script after "${shown}" is taken over in part`)
  const behavior = fieldsOf(item.protocolProfileBehavior)
  return {
    ...(name === '' ? {} : { name }),
    method: textOf(request.method) || 'GET',
    url: withQuery(urlOf(request.url, frame), signIn.query),
    headers: [...headers, ...signIn.headers],
    body,
    ...checks,
    ...(behavior.followRedirects === false ? { followRedirects: false } : {}),
  }
}

/** What is enabled of a list of pairs, or of headers in one text. */
function pairsOf(given: unknown): readonly [name: string, value: string][] {
  if (typeof given === 'string') {
    return given.split('\n').flatMap((line): [string, string][] => {
      const [, name, value = ''] = /^([^:]+):(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name.trim(), value.trim()]]
    })
  }
  return listOf(given)
    .map(fieldsOf)
    .flatMap(({ key, value, disabled }): [string, string][] => {
      const name = textOf(key)
      return name === '' || flagOf(disabled) ? [] : [[name, valueText(value)]]
    })
}

function urlOf(given: unknown, { draft, ours }: PostmanFrame): string {
  const url = fieldsOf(given)
  const parts = (value: unknown, joint: string): string =>
    typeof value === 'string'
      ? value
      : listOf(value)
          .map((part) => textOf(fieldsOf(part).value ?? part))
          .join(joint)
  const scheme = textOf(url.protocol)
  const host = parts(url.host, '.') + (url.port === undefined ? '' : `:${textOf(url.port)}`)
  const built = `${scheme === '' ? '' : `${scheme}://`}${host}/${parts(url.path, '/')}`
  const raw = typeof given === 'string' ? given : textOf(url.raw)
  const text =
    raw ||
    withQuery(
      built,
      pairsOf(url.query)
        .map((pair) => pair.join('='))
        .join('&'),
    )
  const values = new Map(pairsOf(url.variable))
  const whole = /^(?:[a-z][a-z0-9+.-]*:\/\/|\{\{)/i.test(text) ? text : `http://${text}`
  return ours(
    whole.replace(/(?<=[^:/]\/):([A-Za-z_][\w-]*)(?=[/?#]|$)/g, (_, name: string) => {
      const value = values.get(name) ?? ''
      return value === '' ? `{{${draft.nameFor(name)}}}` : value
    }),
  )
}

function withQuery(url: string, query: string): string {
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`
}

const typesOfText: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
}

interface PostmanBody {
  readonly body: string | null
  readonly contentType?: string | undefined
}

function bodyOf(given: ForeignFields, { draft, ours }: PostmanFrame): PostmanBody {
  const none = { body: null }
  if (flagOf(given.disabled)) return none
  switch (given.mode) {
    case 'raw': {
      const language = textOf(fieldsOf(fieldsOf(given.options).raw).language)
      const text = typeof given.raw === 'string' ? given.raw : ''
      const usual = Object.hasOwn(typesOfText, language) ? typesOfText[language] : 'text/plain'
      return text === '' ? none : { body: ours(text), contentType: usual }
    }
    case 'urlencoded': {
      const pairs = pairsOf(given.urlencoded).map((pair) => {
        return pair.map((part) => urlEncoded(ours(part))).join('=')
      })
      return { body: pairs.join('&'), contentType: 'application/x-www-form-urlencoded' }
    }
    case 'formdata': {
      const fields = listOf(given.formdata).map(fieldsOf)
      return formBody(
        fields
          .filter(({ disabled, key }) => !flagOf(disabled) && textOf(key) !== '')
          .map(({ key, type, value, src, contentType }) => {
            const name = ours(textOf(key))
            const file = type === 'file' ? textOf([src].flat()[0]) || 'file' : undefined
            if (file !== undefined) noteFile(file, draft)
            const fileName = file?.split(/[/\\]/).at(-1)
            const text = file === undefined ? ours(valueText(value)) : ''
            return { name, value: text, fileName, contentType: textOf(contentType) }
          }),
      )
    }
    case 'graphql': {
      const { query, variables, operationName } = fieldsOf(given.graphql)
      const values = ours(valueText(variables).trim())
      const operation = textOf(operationName)
      const parts = [
        `"query":${JSON.stringify(ours(valueText(query)))}`,
        ...(values === '' ? [] : [`"variables":${values}`]),
        ...(operation === '' ? [] : [`"operationName":${JSON.stringify(operation)}`]),
      ]
      return { body: `{${parts.join(',')}}`, contentType: 'application/json' }
    }
    case 'file':
      noteFile(textOf(fieldsOf(given.file).src) || 'file', draft)
      return none
    default:
      return none
  }
}

function noteFile(file: string, draft: Draft): void {
  draft.note(`the content of the file ${clip(file, limits.quotedCharsMax)} is left out`)
}

interface AuthParts {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly query: string
}

/** Version 2.1 has lists of keys and values, 2.0 objects. */
function signInOf(given: unknown, { draft, ours }: PostmanFrame): AuthParts {
  const auth = fieldsOf(given)
  const type = textOf(auth.type)
  const said = auth[type]
  const fields = Array.isArray(said) ? Object.fromEntries(pairsOf(said)) : fieldsOf(said)
  const value = (name: string): string => ours(textOf(fields[name]))
  const headers = (name: string, text: string): AuthParts => ({
    headers: [[name, text]],
    query: '',
  })
  switch (type) {
    case '':
    case 'noauth':
      return { headers: [], query: '' }
    case 'bearer':
      return headers('Authorization', `Bearer ${value('token')}`)
    case 'basic':
      return headers('Authorization', draft.basic(`${value('username')}:${value('password')}`))
    case 'apikey': {
      const name = textOf(fields.key)
      if (value('in') !== 'query') return headers(name, value('value'))
      return { headers: [], query: `${encodeURIComponent(name)}=${urlEncoded(value('value'))}` }
    }
    case 'oauth2': {
      const token = value('accessToken') || `{{${draft.nameFor('access_token')}}}`
      return headers('Authorization', `Bearer ${token}`)
    }
    default:
      draft.note(`the sign-in ${clip(type, limits.quotedCharsMax)} is left out`)
      return { headers: [], query: '' }
  }
}

function scriptOf(item: ForeignFields, listen: string): string {
  return listOf(item.event)
    .map(fieldsOf)
    .filter((event) => event.listen === listen && !flagOf(event.disabled))
    .map(({ script }) => {
      const { exec } = fieldsOf(script)
      return typeof exec === 'string' ? exec : listOf(exec).map(valueText).join('\n')
    })
    .join('\n')
    .trim()
}
