// What a check promises that talks to a server: whatever becomes of the conversation, and wherever in it, the
// check ends in time with a reading that says why.
import net from 'node:net'
import type { Test } from 'tap'
import type { Clock } from '../../src/base/clock.ts'
import { errorKinds, type Reading } from '../../src/domain/checks/reading.ts'
import type { Probe } from '../../src/probes/run/probe-run.ts'
import { patient } from '../support/depth.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'
import { starvedMs } from '../support/starvation.ts'

export interface ConversationCase {
  readonly probe: Probe
  readonly clock: Clock
  /** Where the server is that answers well. */
  readonly port: number
  /** A monitor of it, at the port that is given. */
  readonly target: (port: number) => TargetFields
  /** Answers that the check can do without, such as one to its goodbye. Default: 0 bytes. */
  readonly spareBytes?: number
}

type Fault = 'stall' | 'cut' | 'garble' | 'flood'
const faults: readonly Fault[] = ['stall', 'cut', 'garble', 'flood']

/** Points of the conversation, as shares of what the server sends in it. */
const points = [0, 0.05, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 0.97]
const timeoutMs = 800
const slackMs = patient(400)
const floodBytes = 64 * 1024 * 1024

/** A proxy in front of the server: after so many bytes of the answers, something happens. */
async function startProxy(t: Test, to: number, afterBytes: number, fault?: Fault) {
  let bytes = 0
  const server = net.createServer((client) => {
    const peer = net.connect({ port: to, host: '127.0.0.1' })
    for (const one of [client, peer]) one.on('error', () => {})
    client.on('data', (chunk) => peer.write(chunk))
    client.on('close', () => peer.destroy())
    let sent = 0
    let isBroken = false
    peer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (isBroken) return
      const left = fault === undefined ? chunk.length : afterBytes - sent
      sent += chunk.length
      client.write(chunk.subarray(0, Math.max(0, left)))
      if (chunk.length <= left) return
      isBroken = true
      breakIt(client)
    })
    peer.on('close', () => isBroken || client.end())
  })
  const junk = Buffer.alloc(64 * 1024, 'Zq9\u0000\u00ff\u0001 {"')
  function breakIt(client: net.Socket): void {
    if (fault === 'cut') client.destroy()
    if (fault === 'garble') client.write(junk.subarray(0, 300))
    if (fault !== 'flood') return
    let flooded = 0
    const pour = (): void => {
      while (flooded < floodBytes && !client.destroyed) {
        flooded += junk.length
        if (!client.write(junk)) return void client.once('drain', pour)
      }
    }
    pour()
  }
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { port: (server.address() as net.AddressInfo).port, bytes: () => bytes }
}

export async function conversationContract(t: Test, given: ConversationCase): Promise<void> {
  const { probe, clock, port, target, spareBytes = 0 } = given
  const whole = await startProxy(t, port, 0)
  const good = await probe(makeTarget({ ...target(whole.port), timeoutMs: 10_000 }), { clock })
  t.equal(good.result, 'good', `it is good by itself: ${good.error?.message}`)
  const bytes = whole.bytes() - spareBytes
  const cases = faults.flatMap((fault) => points.map((share) => ({ fault, share })))
  const found = await Promise.all(
    cases.map(async ({ fault, share }) => {
      const proxy = await startProxy(t, port, Math.floor(bytes * share), fault)
      const [startedMs, starvedBeforeMs] = [clock.monoMs(), starvedMs()]
      const reading = await probe(makeTarget({ ...target(proxy.port), timeoutMs }), { clock })
      const tookMs = clock.monoMs() - startedMs - (starvedMs() - starvedBeforeMs)
      return { fault, share, reading, tookMs }
    }),
  )
  for (const { fault, share, reading, tookMs } of found) {
    const where = `${fault} after ${Math.round(share * 100)} % of the answers`
    t.equal(reading.result, 'failed', `${where}: ${said(reading)}`)
    t.ok(tookMs <= timeoutMs + slackMs, `${where}: in time, not ${Math.round(tookMs)} ms`)
    if (fault === 'stall') t.equal(reading.error?.kind, 'timeout', `${where}: ${said(reading)}`)
    t.ok(errorKinds.includes(reading.error?.kind ?? 'dns'))
    t.match(reading.error?.message, /^[^\n]+$/, `${where}: one sentence`)
    t.notMatch(JSON.stringify(reading), /s3cret/, `${where}: without the password`)
  }
}

function said({ error }: Reading): string {
  return error === undefined ? 'no error' : `${error.kind}: ${error.message}`
}
