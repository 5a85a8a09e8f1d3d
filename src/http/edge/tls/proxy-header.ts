// The header that names the caller to the private listener (PROXY protocol, version 2), and the guard
// that keeps callers from sending one of their own.
import ipaddr from 'ipaddr.js'

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
/** Version 2, a connection passed on for somebody else. */
const passedOn = 0x21
const tcp = { 4: 0x11, 6: 0x21 } as const

/** The header for a caller's address. Throws for what is no address. */
export function proxyHeader(address: string): Buffer {
  const bytes = ipaddr.process(address).toByteArray()
  const kind = bytes.length === 4 ? tcp[4] : tcp[6]
  // Both addresses and both ports; nothing reads more than the caller's address.
  const body = Buffer.alloc(2 * bytes.length + 4)
  body.set(bytes)
  const head = Buffer.from([passedOn, kind, 0, body.length])
  return Buffer.concat([signature, head, body])
}

export interface SignatureWatch {
  /** Whether the signature is in the bytes up to the end of this chunk. */
  seenIn(chunk: Buffer): boolean
}

/**
 * uWebSockets.js takes a PROXY header before every request of a connection, so a caller who sends
 * one could take another's address. No request contains its signature: it has a NUL, which neither
 * heads nor JSON may have.
 */
export function watchSignature(): SignatureWatch {
  let tail = Buffer.alloc(0)
  return {
    seenIn(chunk) {
      if (chunk.includes(signature)) return true
      const across = Buffer.concat([tail, chunk.subarray(0, signature.length - 1)])
      if (across.includes(signature)) return true
      tail =
        chunk.length >= signature.length - 1
          ? Buffer.from(chunk.subarray(1 - signature.length))
          : Buffer.from(Buffer.concat([tail, chunk]).subarray(1 - signature.length))
      return false
    },
  }
}
