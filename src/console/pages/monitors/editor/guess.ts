// What somebody means who pastes an address: the kind of check, the whole URL, and a name.
import type { MonitorGlance } from '../../../stores/monitors.ts'

export type CheckType = MonitorGlance['checkType']

export interface Guess {
  readonly checkType: CheckType
  readonly url: string
  readonly name: string
}

const schemes: Readonly<Record<string, CheckType>> = {
  'http:': 'endpoint',
  'https:': 'endpoint',
  'ws:': 'websocket',
  'wss:': 'websocket',
  'tcp:': 'tcp',
  'tls:': 'ssl',
  'ping:': 'ping',
  'dns:': 'dns',
  'smtp:': 'smtp',
  'smtps:': 'smtp',
  'domain:': 'domain',
}

const mailPorts = new Set(['25', '465', '587'])
const webPorts = new Set(['80', '443', '3000', '5000', '8000', '8080', '8443'])

/** Undefined while it is no address. */
export function guessMonitor(text: string): Guess | undefined {
  const pasted = text.trim()
  if (pasted === '' || /\s/.test(pasted)) return undefined
  if (/^[a-z]+:\/\//i.test(pasted)) return ofUrl(pasted)
  if (/^\d+\.\d+\.\d+\.\d+$/.test(pasted)) return ofUrl(`ping://${pasted}`)
  const port = /^[^/:]+:(\d+)$/.exec(pasted)?.[1]
  if (port !== undefined && mailPorts.has(port)) return ofUrl(`smtp://${pasted}`)
  if (port !== undefined && !webPorts.has(port)) return ofUrl(`tcp://${pasted}`)
  if (/^[^/]+\.[a-z0-9-]+|^localhost/i.test(pasted)) return ofUrl(`https://${pasted}`)
  return undefined
}

function ofUrl(url: string): Guess | undefined {
  const parsed = URL.parse(url)
  const checkType = parsed && schemes[parsed.protocol]
  if (!parsed || !checkType || parsed.host === '') return undefined
  const path = parsed.pathname === '/' ? '' : parsed.pathname
  return {
    checkType,
    url,
    name: `${parsed.host}${path}`.slice(0, 120),
  }
}
