// Commands of curl as requests: from documents, scripts, and the "Copy as cURL" of browsers.
//
// Source: the man page of curl 8.20.
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import type { Capture } from '../step.ts'
import { placeholdersIn } from '../template.ts'
import { cmdCommands, isForCmd } from './cmd-commands.ts'
import { idleOptions, longNames, monitorOptions, valueOptions } from './curl-options.ts'
import type { Draft } from './draft.ts'
import { type FormPart, formBody, urlEncoded } from './form-data.ts'
import type { FoundRequest } from './made-steps.ts'
import { curlAt, isCurl, type ShellCommand, shellCommands } from './shell-commands.ts'

const anyCall = /(?:^|[\s;&|(/\\])curl(?:\.exe)?[\s^]/i

export function isCurlText(text: string): boolean {
  return anyCall.test(text)
}

export function fromCurl(text: string, draft: Draft): readonly FoundRequest[] {
  for (const { kind, name } of placeholdersIn(text)) if (kind === 'variable') draft.reserve(name)
  const commands = isForCmd(text) ? cmdCommands(text) : shellCommands(text, draft)
  return commands.flatMap((command) => {
    if (!isCurl(command.words)) {
      noteOther(command.words, draft)
      return []
    }
    return requestsOf(command, draft)
  })
}

const assignment = /^([A-Za-z_]\w*)=(.*)$/s

/** A command that only sets variables gives them their values. */
function noteOther(words: readonly string[], draft: Draft): void {
  for (const word of words) {
    const [, name, value = ''] = assignment.exec(word) ?? []
    if (name === undefined) {
      if (word === 'export' || word === '$') continue
      draft.note(`the command ${clip(word, limits.quotedCharsMax)} is left out`)
      return
    }
    // A value that names itself is what a request answers.
    if (value !== `{{${draft.nameFor(name)}}}`) draft.give(name, value)
  }
}

/** What the options before a `--next` say. */
interface CurlOptions {
  readonly urls: string[]
  readonly headers: [name: string, value: string][]
  readonly data: string[]
  readonly json: string[]
  readonly parts: FormPart[]
  readonly query: string[]
  readonly flags: Set<string>
  readonly values: Map<string, string>
}

function newOptions(): CurlOptions {
  return {
    ...{ urls: [], headers: [], data: [], json: [], parts: [], query: [] },
    ...{ flags: new Set(), values: new Map() },
  }
}

type Said = readonly [option: string, value: string]

function requestsOf(command: ShellCommand, draft: Draft): readonly FoundRequest[] {
  const at = curlAt(command.words)
  noteOther(
    command.words.slice(0, at).filter((word) => assignment.test(word)),
    draft,
  )
  const operations = [newOptions()]
  for (const said of optionsIn(command.words.slice(at + 1))) {
    if (said[0] === 'next') operations.push(newOptions())
    else take(operations.at(-1) ?? newOptions(), said, { command, draft })
  }
  const made = operations.flatMap((options) => {
    return options.urls.map((url) => requestOf(url, options, draft))
  })
  const captures = capturesOf(command, draft)
  return captures.length === 0
    ? made
    : [...made.slice(0, -1), ...made.slice(-1).map((one) => ({ ...one, captures }))]
}

/** The options and URLs of a command line, each option by its long name. */
function optionsIn(words: readonly string[]): readonly Said[] {
  const found: Said[] = []
  const rest = [...words].reverse()
  let isOver = false
  for (let word = rest.pop(); word !== undefined; word = rest.pop()) {
    if (isOver || !word.startsWith('-') || word === '-') found.push(['url', word])
    else if (word === '--') isOver = true
    else if (word.startsWith('--')) {
      const name = word.slice(2)
      found.push([name, valueOptions.has(name) ? (rest.pop() ?? '') : ''])
    } else {
      for (let at = 1; at < word.length; at += 1) {
        const letter = word.charAt(at)
        const name = longNames.get(letter) ?? letter
        if (!valueOptions.has(name)) found.push([name, ''])
        else {
          found.push([name, word.slice(at + 1) || (rest.pop() ?? '')])
          break
        }
      }
    }
  }
  return found
}

interface OptionFrame {
  readonly command: ShellCommand
  readonly draft: Draft
}

/** Files are not here: their content is left out. */
function contentOf(text: string, { command, draft }: OptionFrame): string {
  if (!/^[@<]/.test(text)) return text
  const file = text.slice(1)
  if (file === '-' && command.input !== undefined) return command.input
  noteFile(file, draft)
  return ''
}

function noteFile(file: string, draft: Draft): void {
  draft.note(`the content of the file ${clip(file, limits.quotedCharsMax)} is left out`)
}

/** A space is written as in forms. */
function plusEncoded(text: string): string {
  return urlEncoded(text).replaceAll('%20', '+')
}

/** `name=content`, `=content`, `content`, `name@file`, `@file`. */
function encodedPair(text: string, frame: OptionFrame): string {
  const [, name = '', sign = '', content = ''] = /^([^=@]*)([=@])(.*)$/s.exec(text) ?? []
  if (sign === '') return plusEncoded(text)
  const value = sign === '@' ? contentOf(`@${content}`, frame) : content
  return `${name}${name === '' ? '' : '='}${plusEncoded(value)}`
}

function take(options: CurlOptions, [option, value]: Said, frame: OptionFrame): void {
  const { draft } = frame
  switch (option) {
    case 'url':
      options.urls.push(value)
      return
    case 'header':
      takeHeader(options, value, draft)
      return
    case 'data':
    case 'data-ascii':
      // curl takes the line breaks out of a file, not of what stands there.
      options.data.push(
        value.startsWith('@') ? contentOf(value, frame).replace(/[\r\n]/g, '') : value,
      )
      return
    case 'data-binary':
      options.data.push(value.startsWith('@') ? contentOf(value, frame) : value)
      return
    case 'data-raw':
      options.data.push(value)
      return
    case 'data-urlencode':
      options.data.push(encodedPair(value, frame))
      return
    case 'url-query':
      options.query.push(value.startsWith('+') ? value.slice(1) : encodedPair(value, frame))
      return
    case 'json':
      options.json.push(value.startsWith('@') ? contentOf(value, frame) : value)
      return
    case 'form':
    case 'form-string':
      options.parts.push(partOf(value, option === 'form', frame))
      return
    case 'cookie':
      if (value.includes('=') || value.includes('{{')) options.headers.push(['Cookie', value])
      else if (value !== '') noteFile(value, draft)
      return
    case 'upload-file':
      options.flags.add(option)
      noteFile(value, draft)
      return
    case 'get':
    case 'head':
      options.flags.add(option)
      return
    case 'request':
    case 'user':
    case 'user-agent':
    case 'referer':
    case 'range':
    case 'oauth2-bearer':
      options.values.set(option, value)
      return
    default:
      noteOption(option, draft)
  }
}

function noteOption(option: string, draft: Draft): void {
  if (idleOptions.has(option)) return
  const said = clip(option.length === 1 ? `-${option}` : `--${option}`, limits.quotedCharsMax)
  draft.note(
    monitorOptions.has(option)
      ? `the option ${said} of curl is left out: it would be a setting of the monitor`
      : `the option ${said} of curl is left out`,
  )
}

/** `Name: value`; `Name;` has no value, and `Name:` takes away a header of curl's own. */
function takeHeader({ headers }: CurlOptions, text: string, draft: Draft): void {
  const [, name = '', sign, value = ''] = /^([^:;]+)([:;])(.*)$/s.exec(text) ?? []
  if (text.startsWith('@')) noteFile(text.slice(1), draft)
  else if (sign === undefined) draft.note('a header without a value is left out')
  else headers.push([name.trim(), sign === ';' ? '' : value.trim()])
}

/** `name=content;type=…`, `name=@file;filename=…`, `name=<file`. */
function partOf(text: string, isForm: boolean, frame: OptionFrame): FormPart {
  const [, name = '', said = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? []
  if (!isForm) return { name, value: said }
  const [, content = '', options = ''] = /^("(?:[^"\\]|\\.)*"|[^;]*)(.*)$/s.exec(said) ?? []
  const isKnown = /^(?:;\s*(?:type|filename|headers|encoder)=.*)?$/s.test(options)
  const bare = isKnown ? content : said
  const [, contentType] = /;\s*type=([^;]*)/.exec(options) ?? []
  const [, given] = /;\s*filename="?([^;"]*)/.exec(options) ?? []
  const isFile = bare.startsWith('@')
  const file = bare.slice(1).replace(/^"|"$/g, '')
  const value =
    isFile || bare.startsWith('<')
      ? contentOf(`${bare.charAt(0)}${file}`, frame)
      : bare.replace(/^"([\s\S]*)"$/, '$1')
  const fileName = given ?? (isFile ? (file.split(/[/\\]/).at(-1) ?? file) : undefined)
  return { name, value, fileName, contentType }
}

function requestOf(given: string, options: CurlOptions, draft: Draft): FoundRequest {
  const { data, json, parts, flags, values } = options
  const isForm = parts.length > 0
  const form = isForm ? formBody(parts) : undefined
  const text = json.length > 0 ? json.join('') : data.join('&')
  const hasText = data.length + json.length > 0
  const isQuery = flags.has('get') && hasText
  // curl drops --url-query beside -G.
  const query = isQuery ? text : options.query.join('&')
  const body = isQuery ? null : (form?.body ?? (hasText ? text : null))
  const usual = flags.has('head')
    ? 'HEAD'
    : flags.has('upload-file')
      ? 'PUT'
      : body === null
        ? 'GET'
        : 'POST'
  const added: (readonly [string, string | undefined])[] = [
    ['User-Agent', values.get('user-agent')],
    ['Referer', values.get('referer')?.replace(/;auto$/, '')],
    ['Range', values.has('range') ? `bytes=${values.get('range')}` : undefined],
    ['Authorization', authorizationOf(values, draft)],
    ['Content-Type', form?.contentType ?? contentTypeFor(options, body)],
    ['Accept', json.length > 0 ? 'application/json' : undefined],
  ]
  const named = new Set(options.headers.map(([name]) => name.toLowerCase()))
  const own = added.flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' || named.has(name.toLowerCase()) ? [] : [[name, value]],
  )
  const headers = options.headers.filter(
    ([name, value]) => value !== '' || !/^(accept|content-type|user-agent)$/i.test(name),
  )
  return {
    method: values.get('request') ?? usual,
    url: urlOf(given, query, draft),
    headers: [...headers, ...own],
    body,
  }
}

function contentTypeFor({ json }: CurlOptions, body: string | null): string | undefined {
  if (body === null) return undefined
  return json.length > 0 ? 'application/json' : 'application/x-www-form-urlencoded'
}

function authorizationOf(values: ReadonlyMap<string, string>, draft: Draft): string | undefined {
  const token = values.get('oauth2-bearer')
  if (token !== undefined) return `Bearer ${token}`
  const user = values.get('user')
  if (user === undefined) return undefined
  return draft.basic(user.includes(':') ? user : `${user}:`)
}

/** curl takes http:// where the scheme is missing. A name in braces is a value that documents leave out. */
function urlOf(given: string, query: string, draft: Draft): string {
  const whole =
    /^[a-z][a-z0-9+.-]*:\/\//i.test(given) || given.startsWith('{{') ? given : `http://${given}`
  const named = whole.replace(/(?<=\/)\{([A-Za-z_][\w-]*)\}(?=[/?]|$)/g, (_, name: string) => {
    return `{{${draft.nameFor(name)}}}`
  })
  if (query === '') return named
  const [url = '', ...fragment] = named.split('#')
  return `${url}${url.includes('?') ? '&' : '?'}${query}${fragment.length > 0 ? `#${fragment.join('#')}` : ''}`
}

/** What the path of a filter of jq is in JSONPath; undefined if it is more than a path. */
function jsonPathOf(filter: string): string | undefined {
  return /^(?:\.[A-Za-z_]\w*(?:\[\d+\])*|\.?\[\d+\])+$/.test(filter)
    ? `$${filter.replaceAll('.[', '[')}`
    : undefined
}

/** `TOKEN=$(curl … | jq -r .token)` takes a value of the answer. */
function capturesOf({ assignedTo, readers }: ShellCommand, draft: Draft): readonly Capture[] {
  if (assignedTo === undefined) return []
  const name = draft.nameFor(assignedTo)
  const [reader] = readers
  const [program = '', ...words] = reader?.words ?? []
  const filter = words.find((word) => !word.startsWith('-'))
  const path = program === 'jq' ? jsonPathOf(filter ?? '') : undefined
  if (path !== undefined) return [{ name, source: 'json', path }]
  if (readers.length === 0) return [{ name, source: 'body', path: '(?s)^.*$' }]
  draft.note(`what the variable ${name} takes of an answer is left out: capture it`)
  return []
}
