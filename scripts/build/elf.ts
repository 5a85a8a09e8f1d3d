// Takes out of an ELF file what only debuggers read: in Node 18 of 127 MB. Done here rather than by
// `strip`, so that the bytes do not depend on the machine that builds, nor on its architecture.

// ELF-64, little-endian (System V ABI, chapters 4 and 5).
const header = { sectionsAt: 0x28, sectionCount: 0x3c, namesIndex: 0x3e, bytes: 64 }
const sectionBytes = 64
const isLoaded = 0x2
const noBits = 8
const textTable = 3

interface Section {
  readonly index: number
  readonly entry: Buffer
  readonly name: string
  readonly type: number
  readonly flags: number
  readonly offset: number
  readonly size: number
}

function readSections(bytes: Buffer): Section[] {
  const tableAt = Number(bytes.readBigUInt64LE(header.sectionsAt))
  const entries = Array.from({ length: bytes.readUInt16LE(header.sectionCount) }, (_, index) =>
    bytes.subarray(tableAt + index * sectionBytes, tableAt + (index + 1) * sectionBytes),
  )
  const namesAt = Number(entries[bytes.readUInt16LE(header.namesIndex)]?.readBigUInt64LE(24))
  return entries.map((entry, index) => {
    const nameAt = namesAt + entry.readUInt32LE(0)
    return {
      index,
      entry,
      name: bytes.toString('latin1', nameAt, bytes.indexOf(0, nameAt)),
      type: entry.readUInt32LE(4),
      flags: Number(entry.readBigUInt64LE(8)),
      offset: Number(entry.readBigUInt64LE(24)),
      size: Number(entry.readBigUInt64LE(32)),
    }
  })
}

/** A copy without the sections that are not loaded. Throws for a file that is laid out otherwise. */
export function strippedElf(bytes: Buffer): Buffer {
  if (bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2 || bytes[5] !== 1) {
    throw new Error('not a 64-bit little-endian ELF file')
  }
  const sections = readSections(bytes)
  const kept = sections.filter(({ type, flags }) => type === 0 || (flags & isLoaded) !== 0)
  const end = Math.max(
    ...kept.map(({ type, offset, size }) => (type === noBits ? 0 : offset + size)),
  )
  const placeOf = new Map(kept.map(({ index }, place) => [index, place]))
  const table = kept.map((section) => Buffer.from(section.entry))
  const names: Buffer[] = [Buffer.of(0)]
  let nameAt = 1
  const nameOf = (name: string): number => {
    const at = nameAt
    names.push(Buffer.from(`${name}\0`, 'latin1'))
    nameAt += name.length + 1
    return at
  }
  for (const [place, section] of kept.entries()) {
    const entry = table[place]
    if (!entry || section.type === 0) continue
    entry.writeUInt32LE(nameOf(section.name), 0)
    entry.writeUInt32LE(placeOf.get(entry.readUInt32LE(40)) ?? 0, 40)
    // For relocations this is the section that they change (the flag says so).
    const hasLink = (section.flags & 0x40) !== 0
    if (hasLink) entry.writeUInt32LE(placeOf.get(entry.readUInt32LE(44)) ?? 0, 44)
  }
  const ownName = nameOf('.shstrtab')
  const text = Buffer.concat(names)
  const namesEntry = Buffer.alloc(sectionBytes)
  namesEntry.writeUInt32LE(ownName, 0)
  namesEntry.writeUInt32LE(textTable, 4)
  namesEntry.writeBigUInt64LE(BigInt(end), 24)
  namesEntry.writeBigUInt64LE(BigInt(text.length), 32)
  namesEntry.writeBigUInt64LE(1n, 48)
  const padding = Buffer.alloc((8 - ((end + text.length) % 8)) % 8)
  const tableAt = end + text.length + padding.length
  const result = Buffer.concat([bytes.subarray(0, end), text, padding, ...table, namesEntry])
  result.writeBigUInt64LE(BigInt(tableAt), header.sectionsAt)
  result.writeUInt16LE(table.length + 1, header.sectionCount)
  result.writeUInt16LE(table.length, header.namesIndex)
  return result
}
