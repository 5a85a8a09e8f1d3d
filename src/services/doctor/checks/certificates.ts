// The authorities that checks trust, and how long our own certificates hold.
import { X509Certificate } from 'node:crypto'
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import type { DoctorCheck, World } from '../model/world.ts'

export const certificatesCheck: DoctorCheck = {
  name: 'certificates',
  async run(world) {
    const found = await Promise.all([authorities(world), ownFile(world), ofDaemon(world)])
    return found.flat()
  },
}

/** Where distributions keep the authorities of the system. */
const stores = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

async function authorities({ files, own, settings }: World): Promise<CheckFinding[]> {
  const extra = own.env.NODE_EXTRA_CA_CERTS
  const named = [
    ...(extra ? [['NODE_EXTRA_CA_CERTS', extra] as const] : []),
    ...(settings.acme.caFile ? [['acme.caFile', settings.acme.caFile] as const] : []),
    ...(settings.checks.caFile ? [['checks.caFile', settings.checks.caFile] as const] : []),
  ]
  const wrong: CheckFinding[] = []
  for (const [name, path] of named) {
    const text = await files.read(path)
    if (text === undefined || !text.includes('BEGIN CERTIFICATE')) {
      wrong.push(
        problem(name, `${path} holds no certificates that can be read`, `Correct ${name}.`),
      )
    }
  }
  const looked = await Promise.all(stores.map((path) => files.look(path)))
  const path = stores.find((_, at) => looked[at] !== 'missing')
  return [
    path === undefined
      ? skipped('authorities', 'the system has none; those that come with Node are used')
      : fine('authorities', `those of Node are used; those of the system are in ${path}`),
    ...wrong,
  ]
}

const dayMs = 24 * 3_600_000

const doctorCertificateDaysMin = 14

function expiry(subject: string, expiresAtMs: number, nowMs: number, advice: string): CheckFinding {
  const days = Math.floor((expiresAtMs - nowMs) / dayMs)
  if (expiresAtMs <= nowMs) return problem(subject, 'has expired', advice)
  if (days < doctorCertificateDaysMin) {
    return warning(subject, `expires in ${days} days`, advice)
  }
  return fine(subject, `valid for ${days} days`)
}

async function ownFile({ files, settings, clock }: World): Promise<CheckFinding[]> {
  const { tlsCertFile, baseUrl } = settings.http
  if (tlsCertFile === null) return []
  const subject = 'http.tlsCertFile'
  const advice = `Put a valid certificate with its chain into ${tlsCertFile}.`
  const text = await files.read(tlsCertFile)
  const certificate = text === undefined ? undefined : parsed(text)
  if (!certificate) return [problem(subject, `${tlsCertFile} is no certificate in PEM`, advice)]
  const time = expiry(subject, certificate.validToDate.getTime(), clock.wallMs(), advice)
  const host = baseUrl === null ? undefined : new URL(baseUrl).hostname
  const isNamed = host === undefined || certificate.checkHost(host) !== undefined
  return isNamed
    ? [time]
    : [
        time,
        warning(`${subject} name`, `it does not name ${host}, the host of http.baseUrl`, advice),
      ]
}

function parsed(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text)
  } catch {
    return undefined
  }
}

async function ofDaemon(world: World): Promise<CheckFinding[]> {
  const view = await world.daemon()
  if (view.kind !== 'running' || !view.report) return []
  const advice = 'Port 80 must lead here for ACME.'
  return view.report.certificates
    .filter(({ source }) => source === 'acme')
    .map(({ host, state, expiresAtMs, reason, waitReason }) => {
      if (expiresAtMs !== null) return expiry(host, expiresAtMs, world.clock.wallMs(), advice)
      const why = reason ?? waitReason
      const seen = `none yet (${state})${why === null ? '' : `: ${why}`}`
      return state === 'failed' ? problem(host, seen, advice) : warning(host, seen, advice)
    })
}
