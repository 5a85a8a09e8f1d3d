// The secrets of a remote probe: the one of its token, and the ones of replaced tokens for a while.
import type { ProbeSecret, RemoteProbe } from './location.ts'

/** Replaced tokens of one probe that still work. */
const formerProbeTokensMax = 5

/** The secret of a probe with this hash, if its token works. */
export function probeSecretOf(
  { authHash, sealBox, former }: RemoteProbe,
  asked: string,
  nowMs: number,
): ProbeSecret | undefined {
  if (authHash === asked) return { authHash, sealBox }
  return former.find((one) => one.authHash === asked && nowMs < one.untilMs)
}

/** The probe with a new secret; the one before works until `formerUntilMs`; null: no former one does. */
export function withProbeSecret(
  probe: RemoteProbe,
  secret: ProbeSecret,
  { nowMs, formerUntilMs }: { readonly nowMs: number; readonly formerUntilMs: number | null },
): RemoteProbe {
  if (formerUntilMs === null) return { ...probe, ...secret, former: [] }
  const { authHash, sealBox } = probe
  const still = probe.former.filter(({ untilMs }) => nowMs < untilMs)
  const former = [...still, { authHash, sealBox, untilMs: formerUntilMs }]
  return { ...probe, ...secret, former: former.slice(-formerProbeTokensMax) }
}
