// Files of other products as documents for an import.

import type Yaml from 'yaml'
import { unreachable } from '../../base/assert.ts'
import { requireLibrary } from '../../base/assets.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { ForeignDocument, ForeignMonitor, ForeignNote } from '../../domain/imports/foreign.ts'
import { fromGatus } from '../../domain/imports/gatus.ts'
import { fromHealthchecks } from '../../domain/imports/healthchecks.ts'
import { fromKuma } from '../../domain/imports/kuma.ts'
import { limits } from '../../domain/limits/limits.ts'
import { documentFormat } from '../portable.ts'

export const foreignProducts = ['kuma', 'gatus', 'healthchecks'] as const
export type ForeignProduct = (typeof foreignProducts)[number]

export interface ConvertedFile {
  readonly document: {
    readonly format: typeof documentFormat
    readonly monitors: readonly ForeignMonitor[]
  }
  /** What the product has and stillup has not. */
  readonly notes: readonly ForeignNote[]
}

/** The text is not what the product writes. The message goes on with "the file". */
export class ForeignFileRefused extends Error {
  override readonly name = 'ForeignFileRefused'
}

/** Reads JSON, and YAML for Gatus. Throws ForeignFileRefused. */
export function convertFile(product: ForeignProduct, text: string): ConvertedFile {
  const { monitors, notes } = foreignDocument(product, text)
  if (monitors.length === 0) {
    throw new ForeignFileRefused(`has no monitors in the form of ${product}`)
  }
  return { document: { format: documentFormat, monitors }, notes }
}

function foreignDocument(product: ForeignProduct, text: string): ForeignDocument {
  switch (product) {
    case 'kuma':
      return fromKuma(parsed(text))
    case 'gatus':
      return fromGatus(parsedYaml(text))
    case 'healthchecks':
      return fromHealthchecks(parsed(text))
    default:
      return unreachable(product)
  }
}

function parsedYaml(text: string): unknown {
  const { parse } = requireLibrary('yaml') as typeof Yaml
  const options = {
    maxAliasCount: limits.importAliasesMax,
    logLevel: 'error',
    merge: true,
    // It would compare each key with all before it: 128 KiB of keys stopped the daemon for 15 s.
    uniqueKeys: false,
  } as const
  try {
    return parse(text, options)
  } catch (cause) {
    throw new ForeignFileRefused(`is not YAML: ${errorText(cause)}`, { cause })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ForeignFileRefused(`is not JSON: ${errorText(cause)}`, { cause })
  }
}
