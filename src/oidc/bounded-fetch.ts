// fetch with a bound on the size of responses, so that a provider cannot fill the memory.

interface FetchOptions {
  readonly body?: RequestInit['body'] | undefined
  readonly headers: Record<string, string>
  readonly method: string
  readonly redirect: 'manual'
  readonly signal?: AbortSignal | undefined
}

/** Fetches and reads the whole response. Rejects if it exceeds the bound or the signal aborts. */
export async function boundedFetch(url: string, options: FetchOptions): Promise<Response> {
  const { body = null, signal = null, ...rest } = options
  const response = await fetch(url, { ...rest, body, signal })
  const { status, statusText, headers } = response
  const bytes = await bytesOf(response)
  return new Response(bytes.length === 0 ? null : bytes, { status, statusText, headers })
}

export const oidcResponseBytesMax = 256 * 1024

async function bytesOf(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > oidcResponseBytesMax) {
      throw new Error(`an answer of more than ${oidcResponseBytesMax} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
