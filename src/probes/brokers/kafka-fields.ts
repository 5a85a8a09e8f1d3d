// The fields that requests and answers of Kafka are made of, in the versions without tags.
// https://kafka.apache.org/protocol#protocol_types

export const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export const int64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

export function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([int16(bytes.length), bytes])
}

export function bytes(value: string): Buffer {
  const found = Buffer.from(value)
  return Buffer.concat([int32(found.length), found])
}

/** A list; null: there is none. */
export function list(items: readonly Buffer[] | null): Buffer {
  return Buffer.concat([int32(items === null ? -1 : items.length), ...(items ?? [])])
}

/** Reads the fields of an answer in their order; throws a RangeError where it ends too early. */
export class KafkaFields {
  readonly #bytes: Buffer
  #at = 0

  constructor(found: Buffer) {
    this.#bytes = found
  }

  int8(): number {
    return this.#bytes.readInt8(this.#skip(1))
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#skip(2))
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#skip(4))
  }

  int64(): bigint {
    return this.#bytes.readBigInt64BE(this.#skip(8))
  }

  text(): string {
    return this.#utf8(this.int16())
  }

  bytes(): string {
    return this.#utf8(this.int32())
  }

  list<Item>(read: () => Item): Item[] {
    const count = Math.max(0, this.int32())
    if (count > this.#bytes.length) throw new RangeError('more items than bytes')
    return Array.from({ length: count }, read)
  }

  #utf8(size: number): string {
    // Negative: there is none.
    if (size <= 0) return ''
    const start = this.#skip(size)
    if (this.#at > this.#bytes.length) throw new RangeError('a text without its end')
    return this.#bytes.toString('utf8', start, this.#at)
  }

  #skip(size: number): number {
    const start = this.#at
    this.#at += size
    return start
  }
}
