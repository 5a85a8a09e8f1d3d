// Files of other products as documents for an import, and texts as steps or actions of a monitor.

import { unreachable } from '../../base/assert.ts'
import { errorText } from '../../base/log/error-text.ts'
import { type ConvertedScript, convertScript } from '../../domain/browser/convert/convert-script.ts'
import { fromBetterstack } from '../../domain/imports/betterstack/betterstack.ts'
import { fromBlackbox, type PrometheusFile } from '../../domain/imports/blackbox/blackbox.ts'
import { fromCheckly } from '../../domain/imports/checkly/checkly.ts'
import { fromCsv } from '../../domain/imports/csv/csv.ts'
import {
  type ForeignDocument,
  ForeignFileRefused,
  type ForeignHistory,
  type ForeignNote,
  fieldsOf,
} from '../../domain/imports/foreign.ts'
import { expanded, readEnvironment } from '../../domain/imports/gatus/environment.ts'
import { fromGatus } from '../../domain/imports/gatus/gatus.ts'
import { merged } from '../../domain/imports/gatus/merged.ts'
import { isConfiguration } from '../../domain/imports/gatus/settings.ts'
import { fromHealthchecks } from '../../domain/imports/healthchecks/healthchecks.ts'
import { jsonTexts } from '../../domain/imports/json-texts.ts'
import { fromKuma } from '../../domain/imports/kuma/kuma.ts'
import { fromOneuptime } from '../../domain/imports/oneuptime/oneuptime.ts'
import { fromPingdom } from '../../domain/imports/pingdom/pingdom.ts'
import { fromStatuspage } from '../../domain/imports/statuspage/statuspage.ts'
import { withUnread } from '../../domain/imports/unread.ts'
import { fromUptimerobot } from '../../domain/imports/uptimerobot/uptimerobot.ts'
import { countValues } from '../../domain/imports/value-count.ts'
import { yamlValues } from '../../domain/imports/yaml-values.ts'
import { type ConvertedSteps, convertToSteps } from '../../domain/steps/convert/convert-to-steps.ts'
import { documentFormat } from '../portable.ts'

export const foreignProducts = [
  'kuma',
  'gatus',
  'oneuptime',
  'healthchecks',
  'uptimerobot',
  'betterstack',
  'pingdom',
  'checkly',
  'statuspage',
  'blackbox',
  'csv',
] as const
export type ForeignProduct = (typeof foreignProducts)[number]

export interface ForeignFile extends AboutFile {
  readonly product: ForeignProduct
  readonly text: string
}

/** A file of a folder. */
export interface FolderFile {
  readonly name: string
  readonly text: string
}

/** What people say of a file besides. */
export interface AboutFile {
  /** Gatus: the variables of its environment, NAME=value in lines. */
  readonly environment?: string | undefined
  /** Gatus and Prometheus: its name in its folder. */
  readonly name?: string | undefined
  /** Gatus and Prometheus: the other files of its folder. */
  readonly more?: readonly FolderFile[] | undefined
  /** Gatus and Prometheus: what tells the installation from others. */
  readonly installation?: string | undefined
}

/** A text of which the steps of a monitor are made, or a script, of which actions are. */
export interface MonitorText {
  readonly product: 'steps' | 'script'
  readonly text: string
}

/** Throws ForeignFileRefused. See `convertFile` about texts of strangers. */
export function converted(
  file: ForeignFile | MonitorText,
): ConvertedFile | ConvertedSteps | ConvertedScript {
  if (!isOfMonitor(file)) return convertFile(file.product, file.text, file)
  return file.product === 'script' ? convertScript(file.text) : convertToSteps(file.text)
}

function isOfMonitor(file: ForeignFile | MonitorText): file is MonitorText {
  return file.product === 'script' || file.product === 'steps'
}

export interface ConvertedFile {
  readonly document: Omit<ForeignDocument, 'notes' | 'history'> & {
    readonly format: typeof documentFormat
  }
  /** What the product has and stillup has not. */
  readonly notes: readonly ForeignNote[]
  readonly history: readonly ForeignHistory[]
}

/**
 * Reads JSON, and YAML for Gatus. Throws ForeignFileRefused. How much time and memory the parsers take is up
 * to the file, so the files of strangers go through `convertApart`.
 */
export function convertFile(
  product: ForeignProduct,
  text: string,
  about: AboutFile = {},
): ConvertedFile {
  const document = foreignDocument(product, text, about)
  const { notes, history = [], ...lists } = document
  if (lists.monitors.length === 0) {
    throw new ForeignFileRefused(`has no monitors in the form of ${product}`)
  }
  return { document: { format: documentFormat, ...lists }, notes, history }
}

function foreignDocument(product: ForeignProduct, text: string, about: AboutFile): ForeignDocument {
  switch (product) {
    case 'kuma':
      return fromKuma(parsed(text))
    case 'gatus':
      return gatusDocument(filesOf(text, about), about)
    case 'oneuptime':
      return fetchedDocument(jsonTexts(text), fromOneuptime)
    case 'healthchecks':
      return fetchedDocument(parsed(text), fromHealthchecks)
    case 'betterstack':
      return fetchedDocument(jsonTexts(text), fromBetterstack)
    case 'pingdom':
      return fetchedDocument(jsonTexts(text), fromPingdom)
    case 'checkly':
      return fetchedDocument(jsonTexts(text), fromCheckly)
    case 'statuspage':
      return fetchedDocument(parsed(text), fromStatuspage)
    case 'blackbox':
      return fromBlackbox(filesOf(text, about).flatMap(prometheusFiles), about.installation)
    case 'csv':
      return fromCsv(text)
    case 'uptimerobot':
      return fetchedDocument(jsonTexts(text), fromUptimerobot)
    default:
      return unreachable(product)
  }
}

/** A document of what an API answers, which may lack some of it. */
function fetchedDocument<Value>(
  value: Value,
  convert: (value: Value) => ForeignDocument,
): ForeignDocument {
  counted(value)
  return withUnread(value, convert(value))
}

/** The products whose configuration may lie in several files, in YAML. */
export function isInFiles(product: string): product is 'gatus' | 'blackbox' {
  return product === 'gatus' || product === 'blackbox'
}

function filesOf(text: string, { name = '', more = [] }: AboutFile): readonly FolderFile[] {
  return [{ name, text }, ...more]
}

/** A refusal names the file, where there are several. */
function inFile<Value>(files: readonly FolderFile[], name: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ForeignFileRefused) || files.length === 1) throw error
    throw new ForeignFileRefused(`has ${name}, which ${error.message}`, { cause: error })
  }
}

/** As Gatus itself: the files of a folder are one configuration. What it would pass over is named. */
function gatusDocument(
  files: readonly FolderFile[],
  { environment = '', installation }: AboutFile,
): ForeignDocument {
  const values = readEnvironment(environment)
  const all = files.map(({ name, text }) => {
    return { name, config: inFile(files, name, () => yamlValues(expanded(text, values))) }
  })
  if (all.length === 1) return fromGatus(all[0]?.config, installation)
  const configs = all.filter(({ config }) => isConfiguration(config))
  const document = fromGatus(merged(configs), installation)
  const others = all.filter(
    (one) => !configs.includes(one) && Object.keys(fieldsOf(one.config)).length > 0,
  )
  const notes = others.map(({ name }) => ({ name, text: 'has nothing that Gatus reads: left out' }))
  return { ...document, notes: [...document.notes, ...notes] }
}

/** Documents may follow each other in one text. */
function prometheusFiles({ name, text }: FolderFile): PrometheusFile[] {
  return text
    .split(/^---[ \t]*$/m)
    .filter((part) => part.trim() !== '')
    .map((part) => ({ name, document: yamlValues(part) }))
}

function parsed(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ForeignFileRefused(`is not JSON: ${errorText(cause)}`, { cause })
  }
  return counted(value)
}

function counted<Value>(value: Value): Value {
  countValues(value)
  return value
}
