// Bodies of forms with files (RFC 7578).

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
