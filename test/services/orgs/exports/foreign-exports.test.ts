// An export for another product: made of the document, in slices.
import t from 'tap'
import { startClock } from '../../../../src/base/clock.ts'
import type { OrgScope } from '../../../../src/services/context.ts'
import {
  createForeignExports,
  foreignFormats,
} from '../../../../src/services/orgs/exports/foreign-exports.ts'
import type { PortableDocument } from '../../../../src/services/portable.ts'
import { sampleChannels, sampleMonitors } from '../../../support/outgoing-samples.ts'
import { watchTurns } from '../../../support/turns.ts'

t.test(
  'every format is written of every kind of monitor, and other work has its turns',
  async (t) => {
    const { channels, secretsOmitted } = sampleChannels()
    const monitors = sampleMonitors(20).map(({ monitor }) => monitor)
    const document = { channels, monitors, secretsOmitted } as unknown as PortableDocument
    const exports = createForeignExports({ clock: startClock() }, { export: async () => document })
    for (const format of foreignFormats) {
      const longestMs = watchTurns()
      const { files, notes } = await exports.export({} as OrgScope, format)
      const ms = longestMs()
      t.ok(ms < 250, `${format}: ${ms} ms`)
      t.ok(
        files.every(({ text }) => text.length > 1_000),
        format,
      )
      t.ok(notes.length > 0, format)
    }
  },
)
