// Every channel type declares what the API, the forms and the outbox need to know of it.
import t from 'tap'
import type { TSchema } from 'typebox'
import { createCheck } from '../../src/base/schema/validate.ts'
import { channelDefinition, channelDefinitions, channelTypes } from '../../src/channels/registry.ts'

t.test('every field of a config is explained, with an example that is accepted', async (t) => {
  t.equal(new Set(channelTypes).size, channelTypes.length, 'each type has its own name')
  for (const { type, title, config, example } of channelDefinitions) {
    t.ok(title, type)
    const examples: Record<string, unknown> = {}
    for (const [name, field] of Object.entries<TSchema>(config.properties)) {
      const { description, examples: own } = field as { description?: string; examples?: unknown[] }
      t.ok(description, `${type}.${name} has a description`)
      t.equal(own?.length, 1, `${type}.${name} has an example`)
      examples[name] = own?.[0]
    }
    t.same(createCheck(config, 10)(examples), [], `${type}: the examples make a config`)
    // Some fields exclude each other.
    t.same(channelDefinition(type).problems?.(example) ?? [], [])
  }
})

t.test('a type that this version does not know is a conflict, not a crash', async (t) => {
  t.throws(() => channelDefinition('pigeon'), { code: 'conflict', message: /pigeon/ })
})
