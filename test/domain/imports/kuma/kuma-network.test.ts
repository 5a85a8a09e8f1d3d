// Monitors of devices and network servers in Uptime Kuma keep what they ask, and by which secrets.
import t from 'tap'
import { fromKuma } from '../../../../src/domain/imports/kuma/kuma.ts'

const imported = (...monitorList: readonly object[]) => fromKuma({ monitorList })

t.test('an SNMP monitor keeps its OID, its community and its comparison', async (t) => {
  const base = { type: 'snmp', name: 'Switch', hostname: 'switch.test', port: 161 }
  const { monitors, notes } = imported(
    {
      ...base,
      snmpVersion: '2c',
      snmpOid: '1.3.6.1.2.1.2.2.1.8.1',
      radiusPassword: 'c0mmunity',
      jsonPath: '$',
      jsonPathOperator: '>=',
      expectedValue: '1',
    },
    { ...base, port: 1161, snmpVersion: '3', snmpOid: '.1.3.6.1.2.1.1.3.0', snmpV3Username: 'ada' },
  )
  t.match(monitors[0], {
    checkType: 'snmp',
    url: 'snmp://switch.test/1.3.6.1.2.1.2.2.1.8.1',
    password: 'c0mmunity',
    assertions: [{ source: 'json', path: '$.value', type: 'greaterOrEqual', value: '1' }],
  })
  t.match(monitors[1], {
    url: 'snmp://switch.test:1161/1.3.6.1.2.1.1.3.0?version=3',
    username: 'ada',
    assertions: undefined,
  })
  t.match(notes, [{ text: /SNMP 3/ }])
})

t.test('a RADIUS monitor keeps its user, its stations and the shared secret', async (t) => {
  const { monitors } = imported({
    type: 'radius',
    name: 'Wi-Fi',
    hostname: 'radius.test',
    port: null,
    radiusUsername: 'ada',
    radiusPassword: 'l0velace',
    radiusSecret: 'sh4red',
    radiusCalledStationId: '00:11:22:33:44:55',
    radiusCallingStationId: '',
  })
  t.match(monitors[0], {
    checkType: 'radius',
    url: 'radius://radius.test?called=00%3A11%3A22%3A33%3A44%3A55',
    username: 'ada',
    password: 'l0velace',
    secret: 'sh4red',
  })
})

t.test('a game server keeps its game, and the port that is asked', async (t) => {
  const base = { type: 'gamedig', name: 'Game', hostname: 'game.test', gamedigGivenPortOnly: true }
  const { monitors, notes } = imported(
    { ...base, game: 'minecraft', port: 25565 },
    { ...base, game: 'valheim', port: 2500 },
    { ...base, game: 'valheim', port: 2456, gamedigGivenPortOnly: false },
    { ...base, game: 'cs2', port: 27016, hostname: '2001:db8::1' },
    { ...base, game: 'factorio', port: 34197, name: 'Factory' },
    { type: 'steam', name: 'Steam', hostname: 'steam.test', port: 27015 },
  )
  t.match(monitors, [
    { checkType: 'game', game: 'minecraft', url: 'game://game.test' },
    { game: 'valheim', url: 'game://game.test:2500' },
    { game: 'valheim', url: 'game://game.test' },
    { game: 'counterstrike2', url: 'game://[2001:db8::1]:27016' },
    { checkType: 'game', game: 'protocol-valve', url: 'game://steam.test' },
  ])
  t.equal(monitors.length, 5)
  t.match(notes, [{ name: 'Factory', text: /^its game "factorio" cannot be asked/ }])
})

t.test('a time server keeps its thresholds, and a unit waits for the operator', async (t) => {
  const { monitors, notes } = imported(
    { type: 'ntp', name: 'Clock', hostname: 'time.test', port: 123, ntpTimeOffsetThreshold: 250 },
    { type: 'system-service', name: 'nginx', system_service_name: 'nginx' },
    { type: 'system-service', name: 'Backup', system_service_name: 'backup.timer' },
  )
  t.match(monitors, [
    {
      checkType: 'ntp',
      url: 'ntp://time.test',
      assertions: [
        { path: '$.stratum', type: 'lessThan', value: '5' },
        { path: '$.value', type: 'lessThan', value: '250' },
        { path: '$.rootDispersionMs', type: 'lessThan', value: '500' },
      ],
    },
    { checkType: 'systemd', url: 'systemd://nginx.service', isActive: false },
    { checkType: 'systemd', url: 'systemd://backup.timer', isActive: false },
  ])
  t.match(notes, [{ name: 'nginx', text: /list nginx\.service with checks\.units/ }, {}])
})
