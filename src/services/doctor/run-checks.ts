// Runs the checks of `stillup doctor` side by side, each with a time limit.
import { errorText } from '../../base/log/error-text.ts'
import { within } from '../../base/timeout.ts'
import { limits } from '../../domain/limits/limits.ts'
import { backupsCheck } from './checks/backups.ts'
import { certificatesCheck } from './checks/certificates.ts'
import { clusterCheck } from './checks/cluster.ts'
import { daemonCheck } from './checks/daemon.ts'
import { diskCheck } from './checks/disk.ts'
import { dnsCheck } from './checks/dns.ts'
import { mailCheck } from './checks/mail.ts'
import { permissionsCheck } from './checks/permissions.ts'
import { settingsCheck } from './checks/settings.ts'
import { type CheckFinding, type Finding, skipped, warning } from './model/finding.ts'
import type { DoctorCheck, World } from './model/world.ts'

/** The checks are in the order in which findings of the same status are shown. */
export const doctorChecks: readonly DoctorCheck[] = [
  settingsCheck,
  daemonCheck,
  clusterCheck,
  permissionsCheck,
  diskCheck,
  dnsCheck,
  mailCheck,
  certificatesCheck,
  backupsCheck,
]

const doctorCheckMs = 3_000
/** Servers that are missing are waited for. */
const doctorClusterMs = 8_000

/** Never rejects: a check that fails or takes too long is a finding itself. */
export async function runChecks(
  world: World,
  checks: readonly DoctorCheck[] = doctorChecks,
): Promise<readonly Finding[]> {
  const found = await Promise.all(checks.map((check) => runOne(world, check)))
  return found.flat()
}

async function runOne(world: World, check: DoctorCheck): Promise<Finding[]> {
  const { name } = check
  const isLetter = name === mailCheck.name && world.mailTo !== null
  const isCluster = name === clusterCheck.name
  const limitMs = isLetter ? limits.doctorLetterMs : isCluster ? doctorClusterMs : doctorCheckMs
  const found = await within(world.clock, attempt(world, check), limitMs)
  const late = warning(
    'time',
    `it took longer than ${limitMs / 1_000} s`,
    'Run it again; if it stays, look at the load of the machine.',
  )
  return (found ?? [late]).map((one) => ({ check: name, ...one }))
}

async function attempt(world: World, check: DoctorCheck): Promise<readonly CheckFinding[]> {
  try {
    return await check.run(world)
  } catch (error) {
    const words = errorText(error)
    return [skipped('result', `the check failed: ${words}`, 'Please report this as a bug.')]
  }
}
