// Bytes that are kept for long.

/**
 * The bytes in memory of their own. What Node makes of a text, or copies, is often a part of a block of
 * 64 KB, which is kept as long as any of its parts.
 */
export function ownBytes(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength)
  copy.set(bytes)
  return copy
}
