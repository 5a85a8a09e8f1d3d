// What a server sends as bytes, where they are text.

/** Undefined for bytes that are no text, such as a picture or a hardware address. */
export function textIn(bytes: Buffer): string | undefined {
  const text = bytes.toString()
  return /[^\P{Cc}\t\n\r]|\ufffd/u.test(text) ? undefined : text
}
