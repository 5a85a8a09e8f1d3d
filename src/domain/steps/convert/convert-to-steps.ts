// Steps of what people paste: a command of curl, the recording of a browser, a collection, a description of an API.
import { clip } from '../../../base/clip.ts'
import { errorText } from '../../../base/log/error-text.ts'
import { type ForeignFields, ForeignFileRefused, fieldsOf } from '../../imports/foreign.ts'
import { countValues } from '../../imports/value-count.ts'
import { foreignYamlCharsMax, yamlValues } from '../../imports/yaml-values.ts'
import { limits } from '../../limits/limits.ts'
import type { Step } from '../step.ts'
import { fromCurl, isCurlText } from './curl.ts'
import { Draft } from './draft.ts'
import { fromHar, isHar } from './har.ts'
import { type FoundRequest, madeSteps, remainingProblems } from './made-steps.ts'
import { fromOpenApi, isOpenApi } from './openapi.ts'
import { fromPostman, isPostman } from './postman.ts'

export const stepFormats = ['curl', 'har', 'postman', 'openapi'] as const
type StepFormat = (typeof stepFormats)[number]

export interface ConvertedSteps {
  readonly format: StepFormat
  /** A name for the monitor. */
  readonly name: string
  /** The URL of the monitor; '' if the text names no server. */
  readonly url: string
  readonly steps: readonly Step[]
  /** What was secret, and what the text leaves to others. */
  readonly variables: Readonly<Record<string, string>>
  /** What was not taken over, or lacks a value. */
  readonly notes: readonly string[]
}

/** Characters of a text that becomes steps. */
export const stepsTextCharsMax = 4 * 1024 * 1024

/** What a text of one format has. */
interface FoundRequests {
  readonly format: StepFormat
  readonly name: string
  readonly requests: readonly FoundRequest[]
  /** What relative urls belong to. */
  readonly base?: string
}

/** Throws ForeignFileRefused, which says what is wrong with the text. */
export function convertToSteps(text: string): ConvertedSteps {
  if (text.length > stepsTextCharsMax) {
    throw new ForeignFileRefused(`must have at most ${stepsTextCharsMax} characters`)
  }
  const draft = new Draft()
  const { format, name, requests, base } = found(text.replace(/^\ufeff/, ''), draft)
  const made = madeSteps(requests, draft, base)
  remainingProblems(made, draft)
  const named = name.replace(/\p{Cc}+/gu, ' ').trim() || URL.parse(made.url)?.host || format
  return {
    format,
    name: clip(named, limits.nameCharsMax),
    ...made,
    variables: draft.variables(),
    notes: draft.notes(),
  }
}

function found(text: string, draft: Draft): FoundRequests {
  if (/^\s*\{/.test(text)) return inDocument(fieldsOf(parsed(text)), draft)
  if (openApiYaml.test(text)) return inDocument(fieldsOf(yamlIn(text)), draft)
  if (isCurlText(text)) return { format: 'curl', name: '', requests: fromCurl(text, draft) }
  throw unknownFormat()
}

function inDocument(document: ForeignFields, draft: Draft): FoundRequests {
  if (isHar(document)) return { format: 'har', ...fromHar(document, draft) }
  if (isOpenApi(document)) return { format: 'openapi', ...fromOpenApi(document, draft) }
  if (isPostman(document)) return { format: 'postman', ...fromPostman(document, draft) }
  throw unknownFormat()
}

/** A key at the beginning of a line. */
const openApiYaml = /^["']?(?:openapi|swagger)["']?[ \t]*:/m

function yamlIn(text: string): unknown {
  if (text.length <= foreignYamlCharsMax) return yamlValues(text)
  throw new ForeignFileRefused(`must have at most ${foreignYamlCharsMax} characters of YAML`)
}

function parsed(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ForeignFileRefused(`is not JSON: ${errorText(cause)}`, { cause })
  }
  countValues(value)
  return value
}

function unknownFormat(): ForeignFileRefused {
  return new ForeignFileRefused(
    'is no command of curl, HAR file, Postman collection or OpenAPI description',
  )
}
