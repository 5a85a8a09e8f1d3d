// YAML for other products: with quotes where a reader of YAML 1.1 would see something else than a text.
import type Yaml from 'yaml'
import { requireLibrary } from '../../base/assets.ts'
import { isRecord } from '../../base/schema/pick.ts'

/** The signs around a variable of the environment in a text, until the text is written. */
const [begin, end] = ['\u{e000}', '\u{e001}']
const variables = /\u{e000}(\w{1,200})\u{e001}/gu

export function variableText(name: string): string {
  return `${begin}${name}${end}`
}

export function hasVariables(text: string): boolean {
  return text.includes(begin) || text.includes(end)
}

export function withoutVariables(text: string): string {
  return text.replaceAll(begin, '').replaceAll(end, '')
}

/** The text with variables as `${NAME}`, and each other dollar twice, as Gatus reads them. */
export function withVariables(text: string): string {
  return text.replaceAll('$', '$$$$').replaceAll(variables, (_, name: string) => `\${${name}}`)
}

/** `value` holds plain data; what is undefined is left out. A value may come out of a variable, so these have quotes. */
export function yamlText(value: object): string {
  const library = requireLibrary('yaml') as typeof Yaml
  const quoted = (one: unknown): unknown => {
    if (typeof one === 'string' && one.includes(begin)) {
      const scalar = new library.Scalar(one)
      scalar.type = 'QUOTE_DOUBLE'
      return scalar
    }
    if (Array.isArray(one)) return one.map(quoted)
    if (!isRecord(one)) return one
    return Object.fromEntries(
      Object.entries(one).flatMap(([name, inner]) =>
        inner === undefined ? [] : [[name, quoted(inner)]],
      ),
    )
  }
  return library.stringify(quoted(value), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
  })
}
