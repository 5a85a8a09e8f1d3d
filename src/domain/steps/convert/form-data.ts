// Bodies of forms, also with files (RFC 7578).

export interface FormPart {
  readonly name: string
  readonly value: string
  /** The name of a file, whose content is `value`. */
  readonly fileName?: string | undefined
  readonly contentType?: string | undefined
}

/** Another one is taken where a part contains it. */
const usualBoundary = 'stillup-form-part'

/** RFC 7578 4.2: what the quotation marks of a parameter cannot have. */
function quoted(text: string): string {
  const codes: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }
  return text.replace(/["\r\n]/g, (one) => codes[one] ?? '')
}

export function formBody(parts: readonly FormPart[]): { contentType: string; body: string } {
  let boundary = usualBoundary
  while (parts.some(({ value }) => value.includes(boundary))) boundary += 'x'
  const written = parts.map(({ name, value, fileName, contentType }) => {
    const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`
    const head = `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n`
    const type = contentType ? `Content-Type: ${contentType}\r\n` : ''
    return `--${boundary}\r\n${head}${type}\r\n${value}\r\n`
  })
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: `${written.join('')}--${boundary}--\r\n`,
  }
}

/** Percent-encoded for a query or form, what stands in placeholders by their filter. */
export function urlEncoded(text: string): string {
  const encode = (part: string): string =>
    encodeURIComponent(part).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .map((part, at) =>
      at % 2 === 1 ? part.replace(/^\{\{(\w+)(?:\|json)?\}\}$/, '{{$1|url}}') : encode(part),
    )
    .join('')
}
