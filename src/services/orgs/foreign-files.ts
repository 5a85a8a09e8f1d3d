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
} from '../../domain/imports/foreign.ts'
import { expanded, readEnvironment } from '../../domain/imports/gatus/environment.ts'
import { fromGatus } from '../../domain/imports/gatus/gatus.ts'
import { merged } from '../../domain/imports/gatus/merged.ts'
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

/** What people say of a file besides. */
export interface AboutFile {
  /** Gatus: the variables of its environment, NAME=value in lines. */
  readonly environment?: string | undefined
  /** Gatus and Prometheus: the other files of its folder. */
  readonly more?: readonly string[] | undefined
  /** Prometheus: the names of the file and of the other ones. */
  readonly names?: readonly string[] | undefined
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
      return gatusDocument([text, ...(about.more ?? [])], about)
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
      return fromBlackbox(prometheusFiles(text, about), about.installation)
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

function gatusDocument(
  texts: readonly string[],
  { environment = '', installation }: AboutFile,
): ForeignDocument {
  const values = readEnvironment(environment)
  const configs = texts.map((text) => yamlValues(expanded(text, values)))
  const [first] = configs
  return fromGatus(configs.length === 1 ? first : merged(configs), installation)
}

/** Files of a folder, or documents that follow each other in one text. */
function prometheusFiles(text: string, { more = [], names = [] }: AboutFile): PrometheusFile[] {
  return [text, ...more].flatMap((one, index) =>
    one
      .split(/^---[ \t]*$/m)
      .filter((part) => part.trim() !== '')
      .map((part) => ({ name: names[index] ?? '', document: yamlValues(part) })),
  )
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
