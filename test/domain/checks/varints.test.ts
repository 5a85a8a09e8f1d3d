// Numbers of any size survive their bytes, and bytes that end too early are noticed.
import fc from 'fast-check'
import t from 'tap'
import { createByteReader, createByteWriter } from '../../../src/domain/checks/varints.ts'

t.test('numbers of both signs are read as they were written', async (t) => {
  const writer = createByteWriter(16 * 1024)
  const whole = fc.integer({ min: -(2 ** 52), max: 2 ** 52 })
  fc.assert(
    fc.property(fc.array(fc.oneof(whole, fc.integer({ min: -70, max: 70 }))), (numbers) => {
      for (const number of numbers) {
        writer.signed(number)
        writer.varint(Math.abs(number))
      }
      const reader = createByteReader(writer.taken())
      const same = numbers.every((number) => {
        return reader.signed() === number && reader.varint() === Math.abs(number)
      })
      return same && !reader.hasMore
    }),
  )
  t.pass()
})

t.test('bytes that end within a number are refused', async (t) => {
  t.throws(() => createByteReader(Uint8Array.of(0x80)).varint())
  t.throws(() => createByteReader(new Uint8Array()).byte())
})
