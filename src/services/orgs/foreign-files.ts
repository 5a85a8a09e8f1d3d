// Files of other products as documents for an import, and texts as steps or actions of a monitor.

import { unreachable } from '../../base/assert.ts'
import { errorText } from '../../base/log/error-text.ts'
import { type ConvertedScript, convertScript } from '../../domain/browser/convert/convert-script.ts'
import {
  type ForeignDocument,
  ForeignFileRefused,
  type ForeignHistory,
  type ForeignNote,
} from '../../domain/imports/foreign.ts'
import { fromGatus } from '../../domain/imports/gatus/gatus.ts'
import { fromHealthchecks } from '../../domain/imports/healthchecks/healthchecks.ts'
import { jsonTexts } from '../../domain/imports/json-texts.ts'
import { fromKuma } from '../../domain/imports/kuma/kuma.ts'
import { fromOneuptime } from '../../domain/imports/oneuptime/oneuptime.ts'
import { countValues } from '../../domain/imports/value-count.ts'
import { yamlValues } from '../../domain/imports/yaml-values.ts'
import { type ConvertedSteps, convertToSteps } from '../../domain/steps/convert/convert-to-steps.ts'
import { documentFormat } from '../portable.ts'
import { withFittingChannels } from './fitting-channels.ts'

export const foreignProducts = ['kuma', 'gatus', 'oneuptime', 'healthchecks'] as const
export type ForeignProduct = (typeof foreignProducts)[number]

export interface ForeignFile {
  readonly product: ForeignProduct
  readonly text: string
}

/** A text of which the steps of a monitor are made, or a script, of which actions are. */
export interface MonitorText {
  readonly product: 'steps' | 'script'
  readonly text: string
}

/** Throws ForeignFileRefused. See `convertFile` about texts of strangers. */
export function converted({
  product,
  text,
}: ForeignFile | MonitorText): ConvertedFile | ConvertedSteps | ConvertedScript {
  if (product === 'script') return convertScript(text)
  return product === 'steps' ? convertToSteps(text) : convertFile(product, text)
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
export function convertFile(product: ForeignProduct, text: string): ConvertedFile {
  const { notes, history = [], ...lists } = withFittingChannels(foreignDocument(product, text))
  if (lists.monitors.length === 0) {
    throw new ForeignFileRefused(`has no monitors in the form of ${product}`)
  }
  return { document: { format: documentFormat, ...lists }, notes, history }
}

function foreignDocument(product: ForeignProduct, text: string): ForeignDocument {
  switch (product) {
    case 'kuma':
      return fromKuma(parsed(text))
    case 'gatus':
      return fromGatus(yamlValues(text))
    case 'oneuptime':
      return fromOneuptime(counted(jsonTexts(text)))
    case 'healthchecks':
      return fromHealthchecks(parsed(text))
    default:
      return unreachable(product)
  }
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
