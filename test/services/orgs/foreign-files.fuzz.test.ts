// Files of other products under fire: whatever is in them, a conversion ends at a bound with a sentence,
// and the thread that serves everybody else stays free. The suite tries a share (test/README.md).
import t from 'tap'
import { stringify } from 'yaml'
import { startClock } from '../../../src/base/clock.ts'
import { ForeignFileRefused } from '../../../src/domain/imports/foreign.ts'
import { foreignYamlCharsMax } from '../../../src/domain/imports/yaml-values.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { foreignFileCharsMax } from '../../../src/http/api/orgs/portability.ts'
import {
  conversionAnswerBytesMax,
  conversionHeapMbMax,
  conversionMsMax,
} from '../../../src/services/orgs/conversions.ts'
import { convertApart } from '../../../src/services/orgs/convert-apart.ts'
import { convertFile, type ForeignFile } from '../../../src/services/orgs/foreign-files.ts'
import { betterstackAnswer } from '../../support/betterstack-samples.ts'
import { blackboxFile } from '../../support/blackbox-samples.ts'
import { checklyAnswer } from '../../support/checkly-samples.ts'
import { amount, patient } from '../../support/depth.ts'
import { gatusConfig, healthchecksAnswer, kumaBackup } from '../../support/foreign-samples.ts'
import { createDice, createStopwatch, mutated } from '../../support/fuzz.ts'
import { oneuptimeFile } from '../../support/oneuptime-samples.ts'
import { pingdomAnswer } from '../../support/pingdom-samples.ts'
import { watchTurns } from '../../support/turns.ts'
import { uptimerobotV3Answer } from '../../support/uptimerobot-v3-samples.ts'

const dice = createDice()
const samples: readonly ForeignFile[] = [
  { product: 'gatus', text: stringify(gatusConfig) },
  { product: 'kuma', text: JSON.stringify(kumaBackup) },
  { product: 'oneuptime', text: oneuptimeFile },
  { product: 'healthchecks', text: JSON.stringify(healthchecksAnswer) },
  { product: 'uptimerobot', text: JSON.stringify(uptimerobotV3Answer) },
  { product: 'betterstack', text: JSON.stringify(betterstackAnswer) },
  { product: 'pingdom', text: JSON.stringify(pingdomAnswer) },
  { product: 'checkly', text: JSON.stringify(checklyAnswer) },
  { product: 'blackbox', text: blackboxFile },
]

const pieces = [
  ...['&a ', '*a', '<<: *a', '<<: [*a, *a]', '- ', '? ', ': ', '[', ']', '{', '}', ',', '\n', '\t'],
  ...[
    '|\n',
    '>-\n',
    '"',
    "'",
    '%YAML 1.1\n---\n',
    '---\n',
    '...\n',
    '!!set ',
    '!!binary ',
    '!<x> ',
  ],
  ...['#', '~', '.inf', '0x', '1e999', '2026-01-01', '\u0000', '\ufeff', '😀', '\u2028', 'null'],
  ...['__proto__', 'constructor', 'endpoints:', 'conditions:', 'headers:', '[[[[[[[[', '{"a":'],
]

t.test('a small file with random changes is converted, or refused in a sentence', async (t) => {
  const watch = createStopwatch(patient(250))
  for (let left = amount(150, 20_000); left > 0; left -= 1) {
    const { product, text } = dice.pick(samples)
    const bent = mutated(dice, text, pieces)
    watch.time(`${product} ${bent.slice(0, 300)}`, () => {
      try {
        const { document, notes } = convertFile(product, bent)
        t.ok(document.monitors.length > 0 && notes.length <= limits.importNotesMax + 1)
      } catch (cause) {
        if (cause instanceof ForeignFileRefused) return
        throw new Error(`on ${product} ${JSON.stringify(bent)}`, { cause })
      }
    })
  }
  t.same(watch.slow().slice(0, 5), [])
  t.comment(watch.summary())
})

const charsMax = foreignYamlCharsMax

/** A few lines that name each other, many times over. */
function amplifier(): string {
  const kinds = [
    (at: number) => `a${at}: &a${at} {<<: [*a${dice.below(at)}, *a${dice.below(at)}], k${at}: 1}`,
    (at: number) => `a${at}: &a${at} [*a${dice.below(at)}, *a${dice.below(at)}, x]`,
    (at: number) => `a${at}: &a${at} {h: *a${at - 1}, i: *a${dice.below(at)}}`,
    (at: number) => `a${at}: &a${at} "${'x'.repeat(dice.below(500))}"`,
  ]
  const chosen = kinds.filter(() => dice.chance(0.6))
  const lines = [`a0: &a0 {${dice.text(dice.below(2_000), ['k: v,', 'j: [1],', 'l: {},'])}}`]
  for (let at = 1, chars = 0; chars < charsMax * 0.8; at += 1) {
    const line = dice.pick(chosen.length > 0 ? chosen : kinds)(at)
    lines.push(line)
    chars += line.length + 1
  }
  lines.push(`endpoints: [{url: 'http://127.0.0.1/', headers: *a1}]`)
  return lines.join('\n').slice(0, charsMax)
}

/** One or two pieces of syntax, over and over. */
function monotony(): string {
  const unit = dice.pick(pieces) + (dice.chance(0.5) ? dice.pick(pieces) : '')
  const head = dice.chance(0.5) ? '' : 'endpoints:\n'
  return (head + unit.repeat(Math.ceil(charsMax / unit.length))).slice(0, charsMax)
}

function hugeJson(): ForeignFile {
  const { product, text } = dice.pick(samples.slice(1))
  const unit = dice.pick(['{},', '[],', '{"a":[]},', '"x",', '[[[[]]]],', `${text},`, '1,'])
  const body = unit.repeat(Math.ceil((foreignFileCharsMax - 10) / unit.length))
  return { product, text: `[${body.slice(0, foreignFileCharsMax - 10)}1]` }
}

t.test(
  'a large file that was made to hurt ends at a bound, and the event loop is free',
  async (t) => {
    const clock = startClock()
    t.teardown(() => clock.stop())
    const bounds = {
      cpuMsMax: limits.conversionCpuMsMax,
      msMax: 10 * conversionMsMax,
      heapMbMax: conversionHeapMbMax,
      answerBytesMax: conversionAnswerBytesMax,
    }
    const makers: readonly (() => ForeignFile)[] = [
      () => ({ product: 'gatus', text: amplifier() }),
      () => ({ product: 'gatus', text: monotony() }),
      hugeJson,
    ]
    for (let round = amount(1, 100); round > 0; round -= 1) {
      for (const make of makers) {
        const file = make()
        const name = `${file.product} ${JSON.stringify(file.text.slice(0, 60))}`
        const longestMs = watchTurns()
        const ended = await convertApart(file, bounds, { clock }).catch((error: unknown) => error)
        const turnMs = longestMs()
        t.ok(typeof ended === 'string' || ended instanceof ForeignFileRefused, `${name}: ${ended}`)
        t.ok(turnMs < 100, `${turnMs.toFixed(1)} ms at a time, for ${name}`)
      }
    }
  },
)
