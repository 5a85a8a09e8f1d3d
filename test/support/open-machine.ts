// What an operator may list of the machine, for monitors with the addresses that the console shows as examples.
import type { MachineRules } from '../../src/net/machine-policy.ts'

export const openMachine: MachineRules = {
  containers: { local: '/var/run/docker.sock' },
  units: ['*.service'],
  commands: { raid: ['/usr/lib/nagios/plugins/check_raid', '-p', '{disk}'] },
  files: ['/var/backups'],
  host: ['/var'],
  browsers: ['/usr/bin/chromium'],
  browsersAtOnce: 1,
  browserMemoryMb: 1_024,
  machineOrgs: [],
  proxies: {},
  proxyOrgs: [],
}
