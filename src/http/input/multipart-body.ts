// Bodies of multipart/form-data (RFC 7578), as programs send them: their fields of text.
import type { HeaderSource } from '../edge/exchange.ts'
import { malformed } from './json-scan.ts'

export function isMultipart(from: HeaderSource): boolean {
  return /^multipart\/form-data *;/i.test(from.header('content-type'))
}

/** The fields of text; files are passed over, and of two fields of one name the last one counts. Throws malformed_json. */
export async function multipartFields(
  body: Buffer,
  from: HeaderSource,
): Promise<ReadonlyMap<string, string>> {
  const headers = { 'content-type': from.header('content-type') }
  try {
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    return new Map([...form].filter((pair) => typeof pair[1] === 'string') as [string, string][])
  } catch {
    throw malformed('The body is no multipart/form-data with the boundary of its Content-Type')
  }
}
